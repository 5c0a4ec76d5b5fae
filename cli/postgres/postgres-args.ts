interface PostgresArgsOptions {
  dataFolder: string
  port: number
  /** Server settings in addition to the defaults of the project. */
  settings?: Record<string, string>
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '4GB',
  // Queries of the API are small; compiling them costs more time than it saves.
  jit: 'off',
  // Below the time limit of a charge, so that the victim of a deadlock has time to retry.
  deadlock_timeout: '100ms',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Arguments of `postgres`. The socket is in the data folder, because the account may not write to the default
 * folder.
 */
export function postgresArgs({ dataFolder, port, settings = {} }: PostgresArgsOptions): string[] {
  const all = { ...SETTINGS, unix_socket_directories: dataFolder, ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', dataFolder, '-p', String(port), ...flags]
}
