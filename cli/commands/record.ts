import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { askSource } from '../../activities/ask-source.ts'
import { recordFixtures } from '../../activities/record-fixture.ts'
import { allSourceSettings } from '../../activities/source-settings.ts'
import { withAskingClient } from '../asking-client.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { walletHider } from '../hide-wallets.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { meant } from '../parse-given.ts'
import { printRecord } from '../print.ts'
import type { RECORD } from '../specs/data.ts'

/** Records one current answer of a source, in the format of test/setup/replay.ts. */
export async function run(given: Given<typeof RECORD>): Promise<void> {
  const { source } = given
  const env = operatorEnvironment()
  const known = allSourceSettings(env)
  const settings = known.find(({ name }) => name === source)
  if (!settings) {
    const names = known.map(({ name }) => name)
    throw new UsageError(`there is no source "${source}"${meant(source, names)}; see "sluice sources"`)
  }
  if (settings.missing !== null) throw new CommandError(`${source} is off: set ${settings.missing}`)
  const folder = resolve(given.to)
  const before = await filesOf(folder)
  await withOperatorDatabase(async (db) => {
    const record = recordFixtures(folder, given['hide-wallets'] ? await walletHider(db) : undefined)
    await withAskingClient({ db, env, record }, async (asking) => {
      const answered = await askSource(source, { ...asking, now: () => new Date() }).catch((error: Error) => {
        throw new CommandError(`${source} gave no usable answer: ${error.message}`)
      })
      if (!answered)
        throw new CommandError(
          `there is no cheap request to ${source}: start a worker with RECORD_DIR=${folder} instead`,
        )
    })
  })
  const files = (await filesOf(folder)).filter((file) => file.startsWith(`${source}-`))
  const added = files.filter((file) => !before.includes(file))
  const written = (added.length > 0 ? added : files).map((file) => join(folder, file))
  if (given.json) printRecord({ source, files: written }, given)
  else for (const file of written) console.log(file)
}

const filesOf = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
