import { execFile } from 'node:child_process'
import { access, glob } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../../cli/folders.ts'
import { unpackDebian } from '../../../cli/unpack-debian.ts'

const run = promisify(execFile)

export interface Tool {
  program: string
  /** the environment it needs to find its libraries */
  env: NodeJS.ProcessEnv
}

/** Finds a program on PATH, else unpacks it from Debian packages into the cache. Throws if neither works. */
export async function debianTool(tool: {
  name: string
  packages: readonly string[]
  pathInPackage: string
}): Promise<Tool> {
  const onPath = await run('which', [tool.name]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  if (onPath) return { program: onPath, env: process.env }
  const folder = join(cacheFolder(), 'bench', tool.packages.join('-'))
  const program = join(folder, tool.pathInPackage)
  const isThere = await access(program).then(
    () => true,
    () => false,
  )
  if (!isThere) await unpackDebian({ packages: tool.packages, folder })
  await access(program)
  const libraries: string[] = []
  for await (const found of glob(join(folder, 'usr/lib/*-linux-gnu'))) libraries.push(found)
  return { program, env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } }
}
