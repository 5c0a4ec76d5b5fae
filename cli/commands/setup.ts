import { problemsWith, knownVariables } from '../check-environment.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { homeFolder } from '../folders.ts'
import { meant } from '../parse-given.ts'
import { prepareHome } from '../prepare-home.ts'
import { printRecord, printRows } from '../print.ts'
import { runSetup } from '../setup/run-setup.ts'
import { settingRows } from '../setup/setting-rows.ts'
import { readSecret } from '../setup/terminal.ts'
import { trySetting, type Verdict } from '../setup/try-setting.ts'
import {
  changeSettings,
  NOT_IN_FILE,
  nextEnvironment,
  readSettingsFile,
  settingsFile,
  shellEnvironment,
} from '../settings-file.ts'
import type { SETUP } from '../specs/run.ts'
import { openPrivateHome } from '../supervisor/private-home.ts'

export async function run(given: Given<typeof SETUP>): Promise<number> {
  const home = homeFolder()
  switch (given.action) {
    case '':
      return runSetup(home)
    case 'list':
      printRows(settingRows(home), given)
      return 0
    case 'set': {
      const { name } = given
      refuseUnknown(name)
      const value = given.value ?? (await readSecret(`${name}: `))
      if (value === '')
        throw new UsageError(`the value of ${name} is empty; "sluice setup remove ${name}" removes it`)
      const test = await store(home, { name, value, check: !given['no-check'] })
      printRecord({ name, file: settingsFile(home), ...test }, given)
      if (shellEnvironment()[name] !== undefined)
        console.error(`warning: ${name} is set in the environment too, which wins over the file`)
      return 0
    }
    case 'remove': {
      const { name } = given
      if (readSettingsFile(home)[name] === undefined)
        throw new CommandError(
          `${settingsFile(home)} does not set ${name}; "sluice setup list" shows what it sets`,
        )
      changeSettings(home, { [name]: null })
      return 0
    }
  }
}

function refuseUnknown(name: string): void {
  if (NOT_IN_FILE.includes(name))
    throw new UsageError(`${name} cannot be in the file: set it in the environment`)
  const known = knownVariables({ [name]: '' })
  if (!known.includes(name))
    throw new UsageError(`there is no setting ${name}${meant(name, known)}; see docs/configuration.md`)
}

/** Stores a setting unless it is wrong or refused. */
async function store(
  home: string,
  { name, value, check }: { name: string; value: string; check: boolean },
): Promise<Verdict> {
  await prepareHome(home)
  openPrivateHome(home)
  const env = nextEnvironment(home)
  const problems = problemsWith(env, { [name]: value })
  if (problems.length > 0) throw new CommandError(problems.join('\n'))
  const verdict: Verdict = check
    ? await trySetting({ name, value }, env)
    : { state: 'untested', said: 'no test call was made' }
  if (verdict.state === 'refused')
    throw new CommandError(`${name}: ${verdict.said}.\nIt is not stored; --no-check stores it anyway.`)
  changeSettings(home, { [name]: value })
  return verdict
}
