import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface UnpackOptions {
  packages: readonly string[]
  /** Folder that the files end up in. */
  folder: string
  /** Debian release; absent: that of this system. */
  release?: string
}

/** Unpacks Debian packages without installing them. Throws if apt is missing or cannot download them. */
export async function unpackDebian({ packages, folder, release }: UnpackOptions): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const draft = await mkdtemp(join(dirname(folder), 'unpacking-'))
  try {
    const options = release === undefined ? [] : await listsOf(release, draft)
    await run('apt-get', [...options, 'download', ...packages], { cwd: draft, timeout: 120_000 })
    for (const file of await readdir(draft))
      if (file.endsWith('.deb')) await run('dpkg', ['-x', join(draft, file), join(draft, 'files')])
    // Another process may have been faster.
    await rename(join(draft, 'files'), folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY') throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Returns options with which apt reads another release from this system's mirror, with its own lists and
 * state.
 */
async function listsOf(release: string, draft: string): Promise<string[]> {
  const asked = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Origin: Debian']
  const { stdout } = await run('apt-get', asked)
  const [mirror] = stdout.split('\n')
  if (!mirror) throw new Error('apt has no lists of Debian: run "apt-get update"')
  await mkdir(join(draft, 'lists', 'partial'), { recursive: true })
  await mkdir(join(draft, 'cache', 'archives', 'partial'), { recursive: true })
  const sources = join(draft, 'sources.list')
  await writeFile(
    sources,
    `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${release} main\n`,
  )
  const settings = {
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(draft, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(draft, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  await run('apt-get', [...options, 'update'], { timeout: 120_000 })
  return options
}
