const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** What is paid and who may spend it goes over TLS, or stays on this machine. */
export const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.has(hostname)
