import { join } from 'node:path'
import { answers } from '../postgres/postgres-service.ts'
import type { ServiceSpec } from '../supervisor/service.ts'

interface PgBouncerOptions {
  program: string
  port: number
  postgresPort: number
  /** Database that is passed on, with its name. */
  database: string
  /** Where its configuration is written. */
  folder: string
  /** Who may connect, with the passwords of the database. */
  users: Readonly<Record<string, string>>
  /** Connections to the database by user. */
  poolSizes: Readonly<Record<string, number>>
}

/** PgBouncer in transaction mode as a supervised process; up as soon as it passes a query on. */
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
    // Ends at once, as its clients have by then.
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 5_000,
  }
}

/** It refuses to stay root. What it reads it has read by then. */
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
    // More than one process has of them; 0 would refuse them.
    'max_prepared_statements = 500',
    'max_client_conn = 1000',
    // Each statement would be a line.
    'log_connections = 0',
    'log_disconnections = 0',
  ]
  return `${lines.join('\n')}\n`
}
