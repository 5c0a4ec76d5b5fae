const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether a URL is safe for payments and credentials: it uses TLS or stays on this machine. */
export const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.has(hostname)
