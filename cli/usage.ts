import type { ActionSpec, CommandSpec, OperandSpec, OptionSpec } from './command-spec.ts'

/** `sluice keys create --account ACCOUNT [--read-only]` */
export function usageLine(spec: CommandSpec, name: string): string {
  const { operands = {}, options = {} } = spec.actions[name]!
  const words = [
    ...['sluice', spec.name, name].filter((word) => word !== ''),
    ...Object.values(operands).map(operandWord),
    ...Object.entries(options).map(([option, of]) => optionWord(option, of)),
  ]
  return words.join(' ')
}

const operandWord = ({ value, optional }: OperandSpec) => (optional ? `[${value}]` : value)

function optionWord(name: string, option: OptionSpec): string {
  const word = optionHead(name, option)
  return option.required ? word : `[${word}]`
}

/** `--plan free|pro` */
function optionHead(name: string, { kind, oneOf, value }: OptionSpec): string {
  if (!kind && !oneOf) return `--${name}`
  return `--${name} ${value ?? oneOf?.join('|') ?? KIND_WORDS[kind!]}`
}

const KIND_WORDS = { text: 'TEXT', integer: 'N', instant: 'DATE' } as const

/** Returns the usage lines of an action or of a whole command, and where to find more. */
export function usageOf(spec: CommandSpec, name?: string): string {
  const names = name === undefined ? Object.keys(spec.actions) : [name]
  const lines = names.map((action) => usageLine(spec, action))
  return ['Usage:', ...lines.map((line) => `  ${line}`), `More: sluice help ${spec.name}`].join('\n')
}

/** Lists the arguments and options of an action, each as its usage and its help. */
export function takenLines({ operands = {}, options = {} }: ActionSpec): [head: string, help: string][] {
  return [
    ...Object.values(operands).flatMap(({ value, help }): [string, string][] =>
      help ? [[value, help]] : [],
    ),
    ...Object.entries(options).map(([name, option]): [string, string] => [
      optionHead(name, option),
      option.default === undefined ? option.help : `${option.help} (default: ${option.default})`,
    ]),
  ]
}
