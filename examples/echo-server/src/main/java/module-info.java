/** An echo server. */
module dev.sluice.example.echo {
    requires dev.sluice.net;
}
