/** Type of a value. `integer`: from `least` to `most`; `instant`: YYYY-MM-DD (UTC midnight) or RFC 3339. */
type Kind = 'text' | 'integer' | 'instant'

interface Described {
  /** One line. */
  help: string
}

/** A positional argument. Their order is that on the command line. */
export interface OperandSpec extends Partial<Described> {
  /** Its name in usage lines: `ACCOUNT`. */
  value: string
  oneOf?: readonly string[]
  optional?: true
}

export interface OptionSpec extends Described {
  /** Absent: a switch that is on or off. */
  kind?: Kind
  /** Name of its value in usage lines: `DATE`. */
  value?: string
  oneOf?: readonly string[]
  required?: true
  default?: string | number
  least?: number
  most?: number
}

/** Without `help` the help of the command applies. */
export interface ActionSpec extends Partial<Described> {
  operands?: Readonly<Record<string, OperandSpec>>
  options?: Readonly<Record<string, OptionSpec>>
}

export const GROUPS = {
  run: 'Run',
  watch: 'Monitor and repair',
  data: 'Data',
  accounts: 'Accounts',
  money: 'Payments',
  develop: 'Development',
} as const

/** A command. The action with an empty name runs when the command line names none. */
export interface CommandSpec extends Described {
  name: string
  group: keyof typeof GROUPS
  actions: Readonly<Record<string, ActionSpec>>
  /** Printed below the usage lines, for example what words in capitals mean. */
  notes?: string
}

type OperandValue<O extends OperandSpec> =
  | (O extends { oneOf: readonly (infer One)[] } ? One : string)
  | (O extends { optional: true } ? undefined : never)

type Taken<O extends OptionSpec> = O extends { oneOf: readonly (infer One)[] }
  ? One
  : O extends { kind: 'integer' }
    ? number
    : O extends { kind: 'instant' }
      ? Date
      : O extends { kind: 'text' }
        ? string
        : boolean

type OptionValue<O extends OptionSpec> =
  | Taken<O>
  | (O extends { required: true } | { default: string | number }
      ? never
      : Taken<O> extends boolean
        ? never
        : undefined)

type ActionGiven<A extends ActionSpec> = {
  [K in keyof NonNullable<A['operands']>]: OperandValue<NonNullable<A['operands']>[K]>
} & { [K in keyof NonNullable<A['options']>]: OptionValue<NonNullable<A['options']>[K]> }

/** A checked command line: a union of its actions, told apart by `action`. */
export type Given<S extends CommandSpec> = {
  [K in keyof S['actions']]: { action: K } & ActionGiven<S['actions'][K]>
}[keyof S['actions']]

/** The checked command line of one action. */
export type GivenOf<S extends CommandSpec, K extends keyof S['actions']> = { action: K } & ActionGiven<
  S['actions'][K]
>

/** An option of actions that write recordings. */
export const HIDE_WALLETS = {
  help: 'put invented addresses for those of wallets of this installation',
} as const

/** An option of every action that prints data. */
export const JSON_OPTION = { json: { help: 'print JSON, for programs' } } as const
