import { type CommandSpec, HIDE_WALLETS, JSON_OPTION } from '../command-spec.ts'

const SOURCE = { source: { value: 'SOURCE', help: 'as in "sluice sources"' } } as const

export const SOURCES = {
  name: 'sources',
  group: 'watch',
  help: 'show which sources are on, how late they are, what is left of their allowance, and changed answers',
  actions: {
    '': {
      help: 'list all sources, then followed networks, changed answers and the reasons why rows are quarantined',
      options: JSON_OPTION,
    },
    drift: {
      help: 'list fields of answers that vanished, appeared or changed their type',
      operands: { source: { value: 'SOURCE', optional: true } },
      options: {
        save: {
          kind: 'text',
          value: 'FOLDER',
          help: 'write the answers that showed the changes of SOURCE as recordings for tests, without keys',
        },
        'hide-wallets': HIDE_WALLETS,
        ...JSON_OPTION,
      },
    },
    accept: {
      help: 'accept the changes of a source: its answers may be as they were or as they are',
      operands: { source: { value: 'SOURCE', help: 'as in "sluice sources drift"' } },
      options: JSON_OPTION,
    },
    pause: {
      help: 'have no worker ask a source, until it is resumed',
      operands: SOURCE,
      options: JSON_OPTION,
    },
    resume: { help: 'have workers ask a paused source again', operands: SOURCE, options: JSON_OPTION },
    trigger: {
      help: 'start now every schedule that asks a source; a run that is going goes on',
      operands: SOURCE,
      options: JSON_OPTION,
    },
    limit: {
      help: 'set rate and budget of a source for all workers, without a restart; none given: as the worker is set',
      operands: SOURCE,
      options: {
        rate: { kind: 'text', value: 'NUMBER', help: 'requests a second, such as 0.5' },
        burst: { kind: 'integer', least: 1, most: 100_000, help: 'requests at once after a pause' },
        units: {
          kind: 'integer',
          least: 0,
          most: 2_000_000_000,
          help: 'what its plan allows, as the vendor counts',
        },
        per: { oneOf: ['day', 'month'], default: 'month', help: 'with --units: for how long' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec
