interface PostgresArgsOptions {
  dataFolder: string
  port: number
  /** Server settings on top of the project's own. */
  settings?: Record<string, string>
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '4GB',
  // Plans of the API are small; compiling them costs more than it gives.
  jit: 'off',
  // Below the time limit of a charge: what was undone for another one has time to be done again.
  deadlock_timeout: '100ms',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** Command line of `postgres`. The socket goes to the data folder: the account may not write to the system's default. */
export function postgresArgs({ dataFolder, port, settings = {} }: PostgresArgsOptions): string[] {
  const all = { ...SETTINGS, unix_socket_directories: dataFolder, ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', dataFolder, '-p', String(port), ...flags]
}
