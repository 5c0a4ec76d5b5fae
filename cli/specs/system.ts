import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const SYSTEM = {
  name: 'system',
  group: 'watch',
  help: 'show versions, migrations, backups, exports and the settings in force, without secrets',
  actions: {
    '': { help: 'show all of it', options: JSON_OPTION },
    'note-restore': {
      help: 'note that you restored a backup and checked it: a backup is only as good as its last restore',
      options: {
        backup: { kind: 'instant', required: true, help: 'the moment that was restored' },
        note: { kind: 'text', value: 'TEXT', default: '', help: 'what was checked' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const UPGRADE = {
  name: 'upgrade',
  group: 'run',
  help: 'say what an upgrade to this release would do',
  actions: {
    '': {
      options: {
        check: { help: 'list migrations, replaced functions and views, and wrong settings; change nothing' },
        ...JSON_OPTION,
      },
    },
  },
  notes: 'Exit code 1: something stands in the way of an upgrade.',
} as const satisfies CommandSpec
