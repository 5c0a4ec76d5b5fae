import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Given } from '../command-spec.ts'
import { CommandError } from '../command.ts'
import { cacheFolder, homeFolder, PACKED, ROOT } from '../folders.ts'
import { sharedFolderOf } from '../postgres/prepare-cluster.ts'
import { readSecrets } from '../secrets.ts'
import { openTerminal } from '../setup/terminal.ts'
import type { UNINSTALL } from '../specs/run.ts'
import { endRun } from '../supervisor/end-run.ts'

/** What an installation writes into its home for itself. Exports, backups and files of others have other names. */
const OWN =
  /^(chains|demo\.json|installation|issuer-keys\.json|logs|pgbouncer|postgres(\.new|\.password)?|run\.json|sandbox-anchor|secrets\.json|settings\.env|sources|temporal|temporal\.sqlite(-wal|-shm)?)$/

/** Removes an installation, after it has said what goes and what stays. */
export async function run(given: Given<typeof UNINSTALL>): Promise<number> {
  const home = resolve(homeFolder())
  // Another folder that somebody named by mistake has no secrets of ours.
  const names = readSecrets(home) === null ? [] : readdirSync(home)
  const own = names.filter((name) => given.everything || OWN.test(name)).map((name) => join(home, name))
  const elsewhere = [
    sharedFolderOf(join(home, 'postgres')),
    ...(given.cache ? [resolve(cacheFolder())] : []),
  ].filter((folder) => existsSync(folder))
  const removed = [...own, ...elsewhere]
  if (removed.length === 0) {
    console.log(`${home} holds no installation: nothing to remove`)
    return 0
  }
  console.log(`This cannot be undone. It removes:\n${list(removed)}`)
  const kept = names.map((name) => join(home, name)).filter((path) => !own.includes(path))
  if (kept.length > 0) console.log(`It keeps (--everything removes them too):\n${list(kept)}`)
  if (!given.yes && !(await isMeant())) throw new CommandError('nothing was removed')
  await endRun(home, (line) => console.error(line))
  // Last the secrets, by which a repeated command finds what an interrupted one left.
  const secrets = join(home, 'secrets.json')
  for (const path of [...removed.filter((one) => one !== secrets), secrets])
    rmSync(path, { recursive: true, force: true })
  if (existsSync(home) && readdirSync(home).length === 0) rmdirSync(home)
  console.log(`Removed. To remove the program: ${PACKED ? 'npm uninstall sluice' : `delete ${ROOT}`}`)
  return 0
}

const list = (paths: readonly string[]) => paths.map((path) => `  ${path}`).join('\n')

async function isMeant(): Promise<boolean> {
  const { stdin: input, stderr: output } = process
  const terminal = openTerminal({ input, output, isTerminal: input.isTTY })
  try {
    return (await terminal.ask('Remove it? Type "yes": ')) === 'yes'
  } finally {
    terminal.close()
  }
}
