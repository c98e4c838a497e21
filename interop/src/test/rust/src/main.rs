//! rustls as a client that does what it is told on standard input: orders and answers as in ../c/puppet.h, with one
//! difference: `k` is as `K`, since rustls always asks for the peer's update too.
//!
//!     puppet PORT ROOT_PEM VERSION

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{version, ClientConfig, ClientConnection, RootCertStore, SupportedProtocolVersion};
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{env, process, thread};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// The connection, which two threads use: one obeys orders, one receives. Whoever holds it may send.
struct Puppet {
    tls: Mutex<ClientConnection>,
    socket: TcpStream,
}

fn main() {
    if let Err(error) = run() {
        eprintln!("failed: {error}");
        process::exit(1);
    }
}

fn run() -> Fallible<()> {
    let arguments: Vec<String> = env::args().collect();
    let socket = TcpStream::connect(("127.0.0.1", arguments[1].parse()?))?;
    socket.set_nodelay(true)?;
    let mut tls = ClientConnection::new(config(&arguments[2], &arguments[3])?, ServerName::try_from("localhost")?)?;
    tls.set_buffer_limit(None); // a write is taken whole
    while tls.is_handshaking() {
        tls.complete_io(&mut &socket)?;
    }
    let suite = tls.negotiated_cipher_suite().ok_or("no suite")?.suite();
    eprintln!("connected TLSv{} {}", arguments[3], suite.as_str().ok_or("no name")?.replace("TLS13", "TLS"));

    let puppet = Arc::new(Puppet { tls: Mutex::new(tls), socket });
    let receiver = Arc::clone(&puppet);
    thread::spawn(move || {
        let end = receiver.receive();
        eprintln!("updates 0\nend {end}");
        // SAFETY: nothing writes to standard output any more.
        drop(unsafe { OwnedFd::from_raw_fd(1) });
    });
    puppet.obey_all()
}

fn config(root: &str, wanted: &str) -> Fallible<Arc<ClientConfig>> {
    static ONLY_12: [&SupportedProtocolVersion; 1] = [&version::TLS12];
    static ONLY_13: [&SupportedProtocolVersion; 1] = [&version::TLS13];
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(root)?)?;
    let versions = if wanted == "1.3" { &ONLY_13 } else { &ONLY_12 };
    Ok(Arc::new(
        ClientConfig::builder_with_protocol_versions(versions)
            .with_root_certificates(roots)
            .with_no_client_auth(),
    ))
}

impl Puppet {
    fn lock(&self) -> MutexGuard<'_, ClientConnection> {
        self.tls.lock().expect("the other thread panicked")
    }

    fn obey_all(&self) -> Fallible<()> {
        let mut orders = io::stdin().lock();
        let mut order = [0];
        while orders.read(&mut order)? == 1 {
            match order[0] {
                b'W' => self.send(|tls| tls.writer().write_all(&piece(&mut orders)?))?,
                b'K' | b'k' => self.send(|tls| tls.refresh_traffic_keys().map_err(io::Error::other))?,
                b'C' => self.send(|tls| {
                    tls.send_close_notify();
                    Ok(())
                })?,
                b'F' => self.socket.shutdown(Shutdown::Write)?,
                b'R' => reset(&self.socket)?,
                other => return Err(format!("unknown order {other}").into()),
            }
        }
        Ok(())
    }

    fn send(&self, what: impl FnOnce(&mut ClientConnection) -> io::Result<()>) -> io::Result<()> {
        let mut tls = self.lock();
        what(&mut tls)?;
        self.flush(&mut tls)
    }

    fn flush(&self, tls: &mut ClientConnection) -> io::Result<()> {
        while tls.wants_write() {
            tls.write_tls(&mut &self.socket)?;
        }
        Ok(())
    }

    /// Passes plaintext on until its end, and tells which it was.
    fn receive(&self) -> &'static str {
        let mut wire = vec![0; 1 << 16];
        // The handshake may have left plaintext behind.
        let mut end = self.take_in(&[]);
        while end.is_none() {
            end = match (&self.socket).read(&mut wire) {
                Ok(count) => self.take_in(&wire[..count]).or(if count == 0 { Some("truncated") } else { None }),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => Some("reset"),
                Err(error) => complain(&error),
            };
        }
        end.unwrap_or("error")
    }

    fn take_in(&self, mut wire: &[u8]) -> Option<&'static str> {
        let mut tls = self.lock();
        while !wire.is_empty() {
            if let Err(error) = tls.read_tls(&mut wire) {
                return complain(&error);
            }
            if let Err(error) = tls.process_new_packets() {
                return complain(&error);
            }
            let end = pass_on(&mut tls);
            if end.is_some() {
                return end;
            }
        }
        let end = pass_on(&mut tls);
        // An update that was asked for is answered here; a peer that is gone shows at the next read.
        let _ = self.flush(&mut tls);
        end
    }
}

fn pass_on(tls: &mut ClientConnection) -> Option<&'static str> {
    let mut plaintext = [0; 1 << 14];
    loop {
        match tls.reader().read(&mut plaintext) {
            Ok(0) => return Some("close_notify"),
            Ok(count) => {
                let mut output = io::stdout().lock();
                if output.write_all(&plaintext[..count]).and_then(|()| output.flush()).is_err() {
                    return Some("error");
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Some("truncated"),
            Err(error) => return complain(&error),
        }
    }
}

fn complain(error: &dyn Error) -> Option<&'static str> {
    eprintln!("read: {error}");
    Some("error")
}

fn piece(orders: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    orders.read_exact(&mut length)?;
    let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
    orders.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The standard library cannot set SO_LINGER yet; the C library, which it stands on, can.
fn reset(socket: &TcpStream) -> Fallible<()> {
    extern "C" {
        fn setsockopt(socket: i32, level: i32, name: i32, value: *const [i32; 2], length: u32) -> i32;
    }
    const SOL_SOCKET: i32 = 1;
    const SO_LINGER: i32 = 13;
    const AT_ONCE: [i32; 2] = [1, 0];
    // SAFETY: the value is a struct linger, two ints, and is alive during the call.
    if unsafe { setsockopt(socket.as_raw_fd(), SOL_SOCKET, SO_LINGER, &AT_ONCE, 8) } != 0 {
        return Err(io::Error::last_os_error().into());
    }
    process::exit(0) // closes the socket, which resets it now
}
