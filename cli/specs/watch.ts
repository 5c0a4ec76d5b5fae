import { RULE_NAMES } from '../../activities/incidents/rule-names.ts'
import { RUN_STATES } from '../../db/values/run-attributes.ts'
import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const STATUS = {
  name: 'status',
  group: 'watch',
  help: 'show on one screen what runs and what does not',
  actions: {
    '': {
      options: {
        watch: { help: 'refresh until Ctrl-C; with --json print one line each time' },
        every: {
          kind: 'integer',
          value: 'SECONDS',
          default: 5,
          least: 1,
          most: 3_600,
          help: 'time between refreshes',
        },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const INCIDENTS = {
  name: 'incidents',
  group: 'watch',
  help: 'show what is wrong now, and decide who is told of it',
  actions: {
    '': { help: 'list the incidents that fire now, who was told, and their runbooks', options: JSON_OPTION },
    acknowledge: {
      help: 'say that somebody works on an incident: nobody is told of it again',
      operands: { id: { value: 'ID', help: 'as in the list' } },
      options: JSON_OPTION,
    },
    silence: {
      help: 'tell nobody of a rule for some hours',
      operands: { rule: { value: 'RULE', oneOf: RULE_NAMES } },
      options: {
        subject: { kind: 'text', value: 'SUBJECT', help: 'only of this one, such as a source; default: all' },
        hours: { kind: 'integer', default: 2, least: 1, most: 720, help: 'how long' },
        reason: { kind: 'text', value: 'TEXT', required: true, help: 'for those who read the list' },
        ...JSON_OPTION,
      },
    },
    silences: { help: 'list the silences that last', options: JSON_OPTION },
    unsilence: { help: 'end a silence', operands: { id: { value: 'ID' } }, options: JSON_OPTION },
    test: {
      help: 'send a message to every receiver, and say which of them took it',
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

export const PLAN = {
  name: 'plan',
  group: 'watch',
  help: 'show what sources and nodes are asked for in a day within their allowances',
  actions: {
    '': {
      help: 'list sources and networks with requests and units a day, allowance, freshness and what is cut',
      options: JSON_OPTION,
    },
  },
  notes:
    'Sources: for what is stored, with the settings of the worker; none is asked. What does not fit into an allowance is cut by priority and gets older. Wallets: as if nothing happened to them; their histories are read once. The same for accounts at exchanges. Of nodes: what DeFi positions ask of the first one of a network; heads are in the second part.\nNetworks: those of FOLLOW_NETWORKS, or all that have nodes if it is not set. Each node is asked about ten calls. Methods: receipts and logs read each block; ranges read only blocks that concern wallets, once in each tick.',
} as const satisfies CommandSpec

const SCHEDULE = { id: { value: 'ID', help: 'as in the list' } } as const

export const SCHEDULES = {
  name: 'schedules',
  group: 'watch',
  help: 'show and control the schedules of Temporal',
  actions: {
    list: { help: 'list when each schedule runs and whether it is paused', options: JSON_OPTION },
    pause: { help: 'pause a schedule until it is resumed', operands: SCHEDULE, options: JSON_OPTION },
    resume: {
      help: 'resume a schedule: it starts again when it is due',
      operands: SCHEDULE,
      options: JSON_OPTION,
    },
    trigger: { help: 'start a schedule now', operands: SCHEDULE, options: JSON_OPTION },
    backfill: {
      help: 'start a schedule for each time it was due, one after the other; it fetches current data',
      operands: SCHEDULE,
      options: {
        from: { kind: 'instant', required: true, help: 'first due time' },
        to: { kind: 'instant', required: true, help: 'last due time' },
        'dry-run': { help: 'print how often it would run, and do nothing' },
        ...JSON_OPTION,
      },
    },
  },
  notes: 'To fetch missed prices, use "sluice backfill".',
} as const satisfies CommandSpec

export const WORKERS = {
  name: 'workers',
  group: 'watch',
  help: 'show and choose the versions of workers, where they have some (WORKER_VERSION)',
  actions: {
    '': { help: 'list the versions and what each of them does', options: JSON_OPTION },
    use: {
      help: 'have new runs begin with a version; those that run go on with theirs',
      operands: { version: { value: 'VERSION', help: 'as in the list' } },
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

const RUN = { run: { value: 'RUN', help: 'runId as in the list' } } as const

export const WORKFLOWS = {
  name: 'workflows',
  group: 'watch',
  help: 'find runs of workflows, say why one failed, and run it again',
  actions: {
    list: {
      help: 'list runs, newest first; each option that you give must hold',
      options: {
        area: { kind: 'text', value: 'AREA', help: 'only of this area, such as prices' },
        source: { kind: 'text', value: 'SOURCE', help: 'only those that ask this source' },
        account: { kind: 'text', value: 'ID', help: 'only those that this account ordered' },
        wallet: { kind: 'text', value: 'ADDRESS', help: 'only those of this wallet' },
        network: { kind: 'text', value: 'NETWORK', help: 'only those of this network' },
        state: { oneOf: RUN_STATES, help: 'only those that run, failed or completed' },
        limit: { kind: 'integer', default: 50, least: 1, most: 1_000, help: 'number of runs' },
        ...JSON_OPTION,
      },
    },
    failed: {
      help: 'list the workflows that failed in the last 24 hours, newest first',
      options: {
        limit: { kind: 'integer', default: 50, least: 1, most: 1_000, help: 'number of workflows' },
        ...JSON_OPTION,
      },
    },
    show: {
      help: 'show reason, failed activity and number of tries; "sluice logs --workflow RUN" has its lines',
      operands: RUN,
      options: JSON_OPTION,
    },
    'run-again': {
      help: 'start it again, under the same id and with the same input',
      operands: RUN,
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

export const LOGS = {
  name: 'logs',
  group: 'watch',
  help: 'print what the processes logged, by request, wallet, source or workflow',
  actions: {
    '': {
      help: 'print the last lines, oldest first',
      operands: {
        process: { value: 'PROCESS', optional: true, help: 'such as api or worker; default: all' },
      },
      options: {
        request: { kind: 'text', value: 'ID', help: 'only of this request: X-Request-Id of its answer' },
        wallet: { kind: 'text', value: 'ADDRESS', help: 'only lines that name this wallet' },
        source: { kind: 'text', value: 'SOURCE', help: 'only lines about this source' },
        workflow: { kind: 'text', value: 'ID', help: 'only of this workflow, or of this run of it' },
        limit: { kind: 'integer', default: 100, least: 1, most: 100_000, help: 'number of lines' },
        follow: { help: 'go on with those that come, until Ctrl-C' },
        json: { help: 'print each line as an object, one a line' },
      },
    },
  },
  notes:
    'It reads LOG_FOLDER, else the logs of the installation on this machine: the last 4 MB of each process. Containers write to their standard output instead.',
} as const satisfies CommandSpec

export const QUARANTINE = {
  name: 'quarantine',
  group: 'watch',
  help: 'list, retry and drop quarantined rows of sources',
  actions: {
    list: {
      help: 'count rows by reason; with --source or --reason list the rows, newest first',
      options: {
        source: { kind: 'text', value: 'SOURCE', help: 'only rows of this source' },
        reason: { kind: 'text', value: 'REASON', help: 'only rows with this reason' },
        limit: { kind: 'integer', default: 50, least: 1, most: 10_000, help: 'number of rows' },
        ...JSON_OPTION,
      },
    },
    show: {
      help: 'show one row with what the source sent',
      operands: { id: { value: 'ID', help: 'as in the list' } },
      options: JSON_OPTION,
    },
    retry: {
      help: 'fetch a row again by the activity that quarantined it; rows that now pass leave quarantine',
      operands: { id: { value: 'ID', optional: true } },
      options: {
        source: { kind: 'text', value: 'SOURCE', help: 'all rows of this source that can be retried' },
        reason: { kind: 'text', value: 'REASON', help: 'all rows with this reason' },
        ...JSON_OPTION,
      },
    },
    drop: {
      help: 'delete rows that are no longer useful',
      operands: { id: { value: 'ID', optional: true } },
      options: {
        source: { kind: 'text', value: 'SOURCE', help: 'all rows of this source' },
        reason: { kind: 'text', value: 'REASON', help: 'all rows with this reason' },
        'dry-run': { help: 'print how many, and delete none' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const EVENTS = {
  name: 'events',
  group: 'watch',
  help: 'show the events that accounts get',
  actions: {
    tail: {
      help: 'print the newest events, oldest first; held ones have no number yet and are not among them',
      options: {
        account: { kind: 'text', value: 'ID', help: 'only events of this account' },
        limit: { kind: 'integer', default: 20, least: 1, most: 10_000, help: 'number of events' },
        follow: { help: 'go on with those that come, until Ctrl-C' },
        json: { help: 'print each event as it is sent, one a line' },
      },
    },
  },
} as const satisfies CommandSpec

export const VERIFY = {
  name: 'verify',
  group: 'watch',
  help: 'recompute derived data and compare it with what is stored',
  actions: {
    '': {
      help: 'compare credits with their ledger, balances with movements, P&L with a full recomputation',
      options: {
        portfolio: { kind: 'text', value: 'ID', help: 'only this portfolio, without credits' },
        sample: {
          kind: 'integer',
          default: 20,
          least: 1,
          most: 100_000,
          help: 'books whose P&L is recomputed',
        },
        ...JSON_OPTION,
      },
    },
  },
  notes:
    'It stores nothing of what it computes. Data the worker has yet to bring up to date is counted and left out.\nExit code 1: something differs. "sluice export verify" compares the files of an export.',
} as const satisfies CommandSpec
