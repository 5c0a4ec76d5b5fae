import type { CommandSpec } from '../command-spec.ts'

/** A command for developers that takes nothing. */
const plain = <const Name extends string>(name: Name, help: string) =>
  ({ name, group: 'develop', help, actions: { '': {} } }) as const satisfies CommandSpec

export const CHECK = plain(
  'check',
  'check format, lint, types, unused code, workflow bundle and generated files',
)
export const SCHEMA = plain('schema', 'write db/schema.sql from the SQL of the areas')
export const OPENAPI = plain(
  'openapi',
  'write docs/openapi.json, the types of the client, docs/cli.md and the tables of docs/configuration.md',
)
export const SCREENSHOTS = plain('screenshots', 'write docs/images from the console of the running sandbox')
