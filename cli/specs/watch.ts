import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const STATUS = {
  name: 'status',
  group: 'watch',
  help: 'what runs and what does not, on one screen',
  actions: {
    '': {
      options: {
        watch: { help: 'again and again, until Ctrl-C; with --json a line each time' },
        every: { kind: 'integer', value: 'SECONDS', default: 5, least: 1, most: 3_600, help: 'how often' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const SOURCES = {
  name: 'sources',
  group: 'watch',
  help: 'which sources are on, how late they are, and what is left of their allowance',
  actions: {
    '': {
      help: 'all sources, then why rows of theirs are quarantined',
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

const SCHEDULE = { id: { value: 'ID', help: 'as in the list' } } as const

export const SCHEDULES = {
  name: 'schedules',
  group: 'watch',
  help: 'what Temporal starts on its own',
  actions: {
    list: { help: 'when each runs, and whether it is paused', options: JSON_OPTION },
    pause: { help: 'starts it no more until it is resumed', operands: SCHEDULE },
    resume: { help: 'starts it again when it is due', operands: SCHEDULE },
    trigger: { help: 'starts it now', operands: SCHEDULE },
    backfill: {
      help: 'starts it for each time that it was due, one after the other; it fetches what is there now',
      operands: SCHEDULE,
      options: {
        from: { kind: 'instant', required: true, help: 'the first of them' },
        to: { kind: 'instant', required: true, help: 'the last of them' },
        'dry-run': { help: 'say how often it would run, and do nothing' },
      },
    },
  },
  notes: 'What was missed of prices is fetched by "sluice backfill".',
} as const satisfies CommandSpec

export const QUARANTINE = {
  name: 'quarantine',
  group: 'watch',
  help: 'quarantined rows of sources, and what to do with them',
  actions: {
    list: {
      help: 'how many for which reason; of a source: its rows, the newest first',
      options: {
        source: { kind: 'text', value: 'SOURCE', help: 'rows of this source' },
        reason: { kind: 'text', value: 'REASON', help: 'rows with this reason' },
        limit: { kind: 'integer', default: 50, least: 1, most: 10_000, help: 'how many rows' },
        ...JSON_OPTION,
      },
    },
    show: {
      help: 'one of them, with what the source sent',
      operands: { id: { value: 'ID', help: 'as in the list' } },
      options: JSON_OPTION,
    },
    retry: {
      help: 'has it fetched again by the activity that refused it; what is accepted then, leaves',
      operands: { id: { value: 'ID', optional: true } },
      options: {
        source: { kind: 'text', value: 'SOURCE', help: 'all that can be retried of this source' },
        reason: { kind: 'text', value: 'REASON', help: 'all rows with this reason' },
        ...JSON_OPTION,
      },
    },
    drop: {
      help: 'takes away rows that are of no more use',
      operands: { id: { value: 'ID', optional: true } },
      options: {
        source: { kind: 'text', value: 'SOURCE', help: 'all of this source' },
        reason: { kind: 'text', value: 'REASON', help: 'all rows with this reason' },
        'dry-run': { help: 'say how many, and take none away' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const VERIFY = {
  name: 'verify',
  group: 'watch',
  help: 'computes anew what was derived, and compares',
  actions: {
    '': {
      help: 'credits with their ledger, balances with their movements, P&L with a full recomputation',
      options: {
        portfolio: { kind: 'text', value: 'ID', help: 'this one alone, without credits' },
        sample: {
          kind: 'integer',
          default: 20,
          least: 1,
          most: 100_000,
          help: 'books whose P&L is computed anew',
        },
        ...JSON_OPTION,
      },
    },
  },
  notes:
    'It keeps nothing of what it computes. What the worker has yet to bring up to date is counted and left out.\nExit code 1 when something differs. Files of an export are compared by "sluice export verify".',
} as const satisfies CommandSpec
