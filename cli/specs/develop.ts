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
export const PACKAGE = {
  name: 'package',
  group: 'develop',
  help: 'prepare what "npm pack" puts into the package; npm runs it',
  actions: {
    build: { help: 'write dist/, npm-shrinkwrap.json and the software bill of materials' },
    clean: { help: 'remove npm-shrinkwrap.json' },
  },
} as const satisfies CommandSpec
const VERSION = { value: 'VERSION', help: 'such as 1.2.0' } as const
export const RELEASE = {
  name: 'release',
  group: 'develop',
  help: 'make a version from what CHANGELOG.md lists as unreleased; nothing is published',
  actions: {
    make: {
      help: 'give the unreleased changes a version and a date, and set the version of the packages',
      operands: { version: VERSION },
    },
    notes: {
      help: 'print the changes of a version as Markdown; without VERSION those that are unreleased',
      operands: { version: { ...VERSION, optional: true } },
    },
  },
} as const satisfies CommandSpec
export const SCREENSHOTS = plain('screenshots', 'write docs/images from the console of the running sandbox')
