"""A collector of OpenTelemetry's metrics, by its own protocol buffers: otlp_collector.py PORT.

It answers the first request with 503, and prints what the others hold. Unknown members are errors.
"""

import http.server
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest


class Collector(http.server.BaseHTTPRequestHandler):
    requests = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Collector.requests += 1
        if Collector.requests == 1:
            self.answer(503)
            return
        try:
            self.show(json_format.Parse(body, ExportMetricsServiceRequest()))
            self.answer(200)
        except Exception as problem:
            print("INVALID", problem, body[:2000], flush=True)
            self.answer(400)

    def show(self, request):
        print("REQUEST", self.path, self.headers["Content-Type"], self.headers["X-Scope"], flush=True)
        for resource in request.resource_metrics:
            print("RESOURCE", sorted(a.key + "=" + a.value.string_value for a in resource.resource.attributes)[-1])
            for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
                kind = metric.WhichOneof("data")
                data = getattr(metric, kind)
                for point in data.data_points:
                    assert 0 < point.start_time_unix_nano <= point.time_unix_nano, point
                    labels = ",".join(a.key + "=" + a.value.string_value for a in point.attributes)
                    if kind == "histogram":
                        assert data.aggregation_temporality == 2
                        assert len(point.bucket_counts) == len(point.explicit_bounds) + 1
                        assert sum(point.bucket_counts) == point.count
                        value = point.count
                    else:
                        assert kind == "gauge" or data.is_monotonic and data.aggregation_temporality == 2
                        value = point.as_double
                    print("POINT", kind, metric.name, metric.unit, labels, value)
        print("END", flush=True)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Collector)
print("listening", flush=True)
server.serve_forever()
