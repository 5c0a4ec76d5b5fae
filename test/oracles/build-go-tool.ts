import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../cli/folders.ts'

const run = promisify(execFile)

/**
 * Builds a pinned Go program on first use and returns its path. It is built from its own module, because `go
 * install` refuses modules with `exclude` lines, which do not matter here.
 */
export async function buildGoTool(tool: { name: string; program: string; version: string }): Promise<string> {
  const target = join(cacheFolder(), `${tool.name}-${tool.version}`)
  if (existsSync(target)) return target
  console.log(`building ${tool.program}@v${tool.version}; this takes minutes, once`)
  await mkdir(cacheFolder(), { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-go-'))
  try {
    await run('go', ['mod', 'init', 'tool'], { cwd: folder })
    await run('go', ['get', `${tool.program}@v${tool.version}`], { cwd: folder })
    const draft = `${target}.${process.pid}`
    await run('go', ['build', '-o', draft, tool.program], { cwd: folder })
    await rename(draft, target)
    return target
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
