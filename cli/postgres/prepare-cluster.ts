import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, postgresAccount } from './postgres-account.ts'
import { postgresBinaries } from './postgres-binaries.ts'

const run = promisify(execFile)
const SHARED_FOLDER = '/var/lib/sluice'

export interface Cluster {
  dataFolder: string
  /** The postgres program. */
  program: string
  account: Account | null
  created: boolean
}

interface PrepareOptions {
  /** Preferred data folder. */
  folder: string
  ownerPassword: string
  log: (line: string) => void
}

/**
 * Prepares a database cluster and runs initdb on first use. The owner role is `sluice`.
 *
 * For root, Postgres runs as another account. If that account may not enter the folder of the project (a
 * clone in /root), programs and data are in /var/lib/sluice.
 */
export async function prepareCluster(options: PrepareOptions): Promise<Cluster> {
  const account = await postgresAccount()
  const binaries = await reachableBinaries(account, options.log)
  const dataFolder = await reachableFolder(options.folder, account, options.log)
  const cluster = { dataFolder, program: join(binaries, 'bin', 'postgres'), account }
  if (await exists(join(dataFolder, 'PG_VERSION'))) return { ...cluster, created: false }
  options.log(`creating the database cluster in ${dataFolder}`)
  await initialise({ ...options, dataFolder, initdb: join(binaries, 'bin', 'initdb'), account })
  return { ...cluster, created: true }
}

interface InitialiseOptions {
  dataFolder: string
  initdb: string
  account: Account | null
  ownerPassword: string
}

/** Works in a draft folder, so that an interrupted initdb leaves nothing that looks complete. */
async function initialise({ dataFolder, initdb, account, ownerPassword }: InitialiseOptions): Promise<void> {
  const draft = `${dataFolder}.new`
  const passwordFile = `${dataFolder}.password`
  await rm(draft, { recursive: true, force: true })
  await rm(dataFolder, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, ownerPassword, { mode: 0o600 })
  try {
    if (account) for (const path of [draft, passwordFile]) await chown(path, account.uid, account.gid)
    const flags = ['--username=sluice', '--auth=scram-sha-256', '--encoding=UTF8', '--no-sync']
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    await run(initdb, [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...flags, ...locale], {
      ...account,
      cwd: dirname(draft),
    })
    await rename(draft, dataFolder)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function reachableBinaries(account: Account | null, log: (line: string) => void): Promise<string> {
  const { folder, version } = await postgresBinaries()
  if (!account || (await mayEnter(folder, account))) return folder
  const copy = join(SHARED_FOLDER, `postgres-${version}`)
  if (await exists(copy)) return copy
  log(`the account of Postgres may not enter ${folder}; copying its programs to ${copy}`)
  const draft = `${copy}.${process.pid}`
  await makeSharedFolder()
  await cp(folder, draft, { recursive: true, verbatimSymlinks: true })
  await run('chown', ['-R', `${account.uid}:${account.gid}`, draft])
  await rename(draft, copy)
  return copy
}

async function reachableFolder(
  wanted: string,
  account: Account | null,
  log: (line: string) => void,
): Promise<string> {
  await mkdir(dirname(wanted), { recursive: true })
  if (!account || (await mayEnter(dirname(wanted), account))) return wanted
  const folder = sharedFolderOf(wanted)
  log(`the account of Postgres may not enter ${dirname(wanted)}; the database is in ${folder}`)
  await makeSharedFolder()
  return folder
}

/** The data folder that is used where the account of Postgres may not enter the wanted one. */
export function sharedFolderOf(wanted: string): string {
  return join(SHARED_FOLDER, createHash('sha256').update(wanted).digest('hex').slice(0, 12))
}

async function makeSharedFolder(): Promise<void> {
  await mkdir(SHARED_FOLDER, { recursive: true })
  await chmod(SHARED_FOLDER, 0o755)
}

/** Whether the account may enter every folder of the path. */
async function mayEnter(path: string, account: Account): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
