import { join } from 'node:path'
import { answers } from '../postgres/postgres-service.ts'
import type { ServiceSpec } from '../supervisor/service.ts'

interface PgBouncerOptions {
  program: string
  port: number
  postgresPort: number
  /** Name of the database that it serves. */
  database: string
  /** Folder for its configuration. */
  folder: string
  /** Passwords of the database by user; only these users may connect. */
  users: Readonly<Record<string, string>>
  /** Connections to the database by user. */
  poolSizes: Readonly<Record<string, number>>
}

/** PgBouncer in transaction mode as a supervised process. It is up when it forwards a query. */
export function pgBouncerService(options: PgBouncerOptions): ServiceSpec {
  const { program, port, folder, users, database } = options
  const file = join(folder, 'pgbouncer.ini')
  const lines = Object.entries(users).map(([user, password]) => `"${user}" "${password}"\n`)
  const [[user, password] = ['', '']] = Object.entries(users)
  return {
    name: 'pgbouncer',
    command: program,
    args: [file],
    env: { PATH: process.env.PATH ?? '' },
    files: { [file]: configuration(options), [join(folder, 'users.txt')]: lines.join('') },
    listensOn: ['pgbouncer'],
    health: { probe: () => answers(`postgres://${user}:${password}@127.0.0.1:${port}/${database}`) },
    startDeadlineMs: 20_000,
    // Stops at once: its clients have ended by then.
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 5_000,
  }
}

/** PgBouncer refuses to run as root. It switches the user after it has read its files. */
const account = () => (process.getuid?.() === 0 ? ['user = postgres'] : [])

function configuration({ port, postgresPort, database, folder, users, poolSizes }: PgBouncerOptions): string {
  const lines = [
    '[databases]',
    `${database} = host=127.0.0.1 port=${postgresPort}`,
    '[users]',
    ...Object.entries(poolSizes)
      .filter(([user]) => user in users)
      .map(([user, size]) => `${user} = pool_size=${size}`),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    ...account(),
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    // More than one process prepares; 0 would refuse named statements.
    'max_prepared_statements = 500',
    'max_client_conn = 1000',
    // Otherwise every connection would write a line.
    'log_connections = 0',
    'log_disconnections = 0',
  ]
  return `${lines.join('\n')}\n`
}
