import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const START = {
  name: 'start',
  group: 'run',
  help: 'set everything up and run it; Ctrl-C stops it',
  actions: { '': {} },
} as const satisfies CommandSpec

export const UP = {
  name: 'up',
  group: 'run',
  help: 'set everything up, run it in the background, and return when it is up',
  actions: { '': {} },
} as const satisfies CommandSpec

export const DOWN = {
  name: 'down',
  group: 'run',
  help: 'stop what "sluice up" or "sluice start" runs, and wait for its end',
  actions: { '': {} },
} as const satisfies CommandSpec

/** The name that operators try first. */
export const STOP = { ...DOWN, name: 'stop', help: 'same as down' } as const satisfies CommandSpec

export const UNINSTALL = {
  name: 'uninstall',
  group: 'run',
  help: 'list what this installation has written, ask, stop it, and remove its data, logs and secrets',
  actions: {
    '': {
      options: {
        yes: { help: 'do not ask' },
        everything: { help: 'remove the whole home, with exports, backups and files of others' },
        cache: { help: 'remove SLUICE_CACHE too, which all installations of this user share' },
      },
    },
  },
  notes: 'Without --everything, exports and everything that Sluice did not write into its home stay.',
} as const satisfies CommandSpec

const SETTING = { value: 'NAME', help: 'an environment variable of docs/configuration.md' } as const

export const SETUP = {
  name: 'setup',
  group: 'run',
  help: 'walk through the free keys of real services, test them, and store them for "sluice start"',
  actions: {
    '': { help: 'ask for each key, then for nodes of networks; print the plan that follows' },
    list: { help: 'list what can be set up, without values', options: JSON_OPTION },
    set: {
      help: 'store a setting after a test call; without VALUE, read it from standard input',
      operands: { name: SETTING, value: { value: 'VALUE', optional: true } },
      options: {
        'no-check': { help: 'make no test call, and store what a service refuses' },
        ...JSON_OPTION,
      },
    },
    remove: { help: 'remove a setting', operands: { name: SETTING } },
  },
  notes:
    'The settings are in settings.env of the home (SLUICE_HOME), with mode 0600. A variable of the environment wins over them. They take effect at the next start.\nA key that is given as VALUE stays in the history of the shell. One from a file does not: sluice setup set ETHERSCAN_API_KEY < key.txt',
} as const satisfies CommandSpec

export const TOPOLOGY = {
  name: 'topology',
  group: 'run',
  help: 'run the parts of production on this machine: Temporal on Postgres, PgBouncer, 2 APIs, 3 workers, gateway',
  actions: { '': {} },
} as const satisfies CommandSpec

export const MIGRATE = {
  name: 'migrate',
  group: 'run',
  help: 'bring DATABASE_URL to the newest schema ("sluice start" does this by itself)',
  actions: { '': {} },
} as const satisfies CommandSpec

export const DATABASE = {
  name: 'database',
  group: 'run',
  help: 'print the address, data folder and port of the database, for psql and back-ups',
  actions: { '': {} },
  notes:
    'The address contains the password of the owner. To set the variables in a shell: eval "$(sluice database)"',
} as const satisfies CommandSpec

export const MCP = {
  name: 'mcp',
  group: 'run',
  help: 'serve the API to agents over MCP: on stdin and stdout, or over HTTP to this machine',
  actions: {
    '': {
      options: {
        http: { kind: 'integer', value: 'PORT', most: 65_535, help: 'serve over HTTP at this port' },
      },
    },
  },
  notes:
    'SLUICE_API_KEY is the key for stdin and stdout. SLUICE_URL is the API; default: the one that runs here.',
} as const satisfies CommandSpec

export const COMPLETION = {
  name: 'completion',
  group: 'run',
  help: 'print a shell completion script',
  actions: {
    '': {
      operands: { shell: { value: 'bash|zsh|fish', oneOf: ['bash', 'zsh', 'fish'] } },
    },
  },
  notes: `bash: sluice completion bash > ~/.local/share/bash-completion/completions/sluice
zsh:  sluice completion zsh > "\${fpath[1]}/_sluice"
fish: sluice completion fish > ~/.config/fish/completions/sluice.fish`,
} as const satisfies CommandSpec

export const DOCTOR = {
  name: 'doctor',
  group: 'watch',
  help: 'check everything the installation needs and say how to repair what is wrong',
  actions: {
    '': {
      options: {
        offline: { help: 'call no source and no chain, check only this installation' },
        ...JSON_OPTION,
      },
    },
  },
  notes: 'Exit code 1: a check failed. It prints no key and no secret, and changes nothing.',
} as const satisfies CommandSpec
