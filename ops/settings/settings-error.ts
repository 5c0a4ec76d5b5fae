/** Lists everything that is wrong with the environment, one sentence per variable. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const head = problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`
    super([head, ...problems.map((problem) => `  ${problem}`), 'See docs/configuration.md.'].join('\n'))
    this.name = 'SettingsError'
    this.problems = problems
  }
}
