import type { Command } from './command.ts'
import type { OptionSpec } from './command-spec.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

interface Place {
  command: string
  /** Empty for the command itself. */
  action: string
  options: [name: string, option: OptionSpec][]
  /** Completions besides options: names of actions, and the words that an operand accepts. */
  words: string[]
}

/** Returns the completions of every command and action. */
function placesOf(commands: readonly Command[]): Place[] {
  return commands.flatMap(({ name, spec }) => {
    if (!spec) return []
    const names = Object.keys(spec.actions).filter((action) => action !== '')
    const places = Object.entries(spec.actions).map(([action, { operands = {}, options = {} }]) => ({
      command: name,
      action,
      options: Object.entries(options),
      words: [
        ...(action === '' ? names : []),
        ...Object.values(operands).flatMap(({ oneOf }) => oneOf ?? []),
      ],
    }))
    const plain = { command: name, action: '', options: [], words: names }
    return spec.actions[''] ? places : [plain, ...places]
  })
}

/** Returns a script that completes commands, actions, options and the words that options accept. */
export function completionScript(commands: readonly Command[], shell: Shell): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands)
}

const optionsWithWords = (commands: readonly Command[]) =>
  placesOf(commands).flatMap(({ command, action, options }) =>
    options.flatMap(([name, { oneOf }]) => (oneOf ? [{ command, action, name, words: oneOf }] : [])),
  )

function bashScript(commands: readonly Command[]): string {
  const names = ['help', ...commands.map(({ name }) => name)]
  const places = placesOf(commands)
  const lineOf = ({ command, action, options, words }: Place) =>
    `    '${command} ${action}') words='${[...words, ...options.map(([name]) => `--${name}`), '--help'].join(' ')}' ;;`
  const values = optionsWithWords(commands).map(
    ({ command, action, name, words }) =>
      `    '${command} ${action} --${name}') words='${words.join(' ')}' ;;`,
  )
  const actions = places
    .filter(({ action }) => action !== '')
    .map(({ command, action }) => `'${command} ${action}'`)
  return `# bash completion of sluice, made by "sluice completion bash"
_sluice() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} action='' words=''
  if [ "$COMP_CWORD" -le 1 ]; then
    words='${names.join(' ')}'
  elif [ "$command" = help ]; then
    words='${names.slice(1).join(' ')}'
  else
    if [ "$COMP_CWORD" -gt 2 ]; then
      case "$command \${COMP_WORDS[2]}" in
    ${actions.join('|')}) action=\${COMP_WORDS[2]} ;;
      esac
    fi
    case "$command $action" in
${places.map(lineOf).join('\n')}
    esac
    case "$command $action $prev" in
${values.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _sluice sluice
`
}

/** Puts text in single quotes, for zsh and fish. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
/** Formats a word for zsh's _describe: a colon separates it from its description. */
const described = (word: string, help: string) => quoted(`${word.replaceAll(':', String.raw`\:`)}:${help}`)

function zshScript(commands: readonly Command[]): string {
  const helpOf = (command: string, word: string) =>
    commands.find(({ name }) => name === command)?.spec?.actions[word]?.help ?? word
  const lineOf = ({ command, action, options, words }: Place) => {
    const all = [
      ...words.map((word) => described(word, helpOf(command, word))),
      ...options.map(([name, { help }]) => described(`--${name}`, help)),
    ]
    return `    '${command} ${action}') words=(${all.join(' ')}) ;;`
  }
  const places = placesOf(commands)
  const actions = places
    .filter(({ action }) => action !== '')
    .map(({ command, action }) => `'${command} ${action}'`)
  const values = optionsWithWords(commands).map(
    ({ command, action, name, words }) =>
      `    '${command} ${action} --${name}') words=(${words.map(quoted).join(' ')}) ;;`,
  )
  return `#compdef sluice
# zsh completion of sluice, made by "sluice completion zsh"
_sluice() {
  local -a words_ all=(${commands.map(({ name, help }) => described(name, help)).join(' ')})
  local command=\${words[2]} action='' prev=\${words[CURRENT-1]}
  if (( CURRENT <= 2 )); then _describe command all; return; fi
  if [[ $command == help ]]; then _describe command all; return; fi
  if (( CURRENT > 3 )); then
    case "$command \${words[3]}" in
    ${actions.join('|')}) action=\${words[3]} ;;
    esac
  fi
  case "$command $action" in
${places.map(lineOf).join('\n').replaceAll(' words=(', ' words_=(')}
  esac
  case "$command $action $prev" in
${values.join('\n').replaceAll(' words=(', ' words_=(')}
  esac
  _describe word words_ || _files
}
_sluice "$@"
`
}

function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const lines = commands.map(
    ({ name, help }) => `complete -c sluice -n '__fish_use_subcommand' -f -a ${name} -d ${quoted(help)}`,
  )
  for (const { command, action, options, words } of placesOf(commands)) {
    const own = commands.find(({ name }) => name === command)!.spec!.actions
    const others = Object.keys(own).filter((name) => name !== '')
    const where =
      action === ''
        ? `__fish_seen_subcommand_from ${command}${others.length > 0 ? `; and not __fish_seen_subcommand_from ${others.join(' ')}` : ''}`
        : `__fish_seen_subcommand_from ${command}; and __fish_seen_subcommand_from ${action}`
    for (const word of words)
      lines.push(`complete -c sluice -n ${quoted(where)} -f -a ${word} -d ${quoted(own[word]?.help ?? word)}`)
    for (const [name, { kind, oneOf, help }] of options) {
      const takes = oneOf ? ` -x -a ${quoted(oneOf.join(' '))}` : kind ? ' -r' : ''
      lines.push(`complete -c sluice -n ${quoted(where)} -l ${name}${takes} -d ${quoted(help)}`)
    }
  }
  return `# fish completion of sluice, made by "sluice completion fish"
complete -c sluice -n '__fish_seen_subcommand_from help' -f -a ${quoted(names)}
${lines.join('\n')}
`
}
