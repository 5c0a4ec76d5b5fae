import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { ROOT } from '../../cli/folders.ts'

const run = promisify(execFile)

interface Stage {
  name: string | undefined
  /** Instructions with their arguments, in order. */
  steps: { instruction: string; text: string }[]
}

/** Parses the stages of the Dockerfile, with continued lines joined and without comments. */
export async function readStages(): Promise<Stage[]> {
  const text = await readFile(join(ROOT, 'Dockerfile'), 'utf8')
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
  const stages: Stage[] = []
  for (const line of lines) {
    const [, instruction, rest] = /^([A-Z]+) +(.*)$/.exec(line)!
    if (instruction === 'FROM') stages.push({ name: / AS (\S+)$/.exec(rest!)?.[1], steps: [] })
    else stages.at(-1)!.steps.push({ instruction: instruction!, text: rest! })
  }
  return stages
}

/** Returns environment, user and health check of the last stage. */
export function readRuntime(stages: readonly Stage[]) {
  const steps = stages.at(-1)!.steps
  const textOf = (name: string) => steps.find(({ instruction }) => instruction === name)!.text
  const env = Object.fromEntries(
    textOf('ENV')
      .split(' ')
      .map((pair) => pair.split('=', 2) as [string, string]),
  )
  const healthCheck = JSON.parse(textOf('HEALTHCHECK').replace(/^.* CMD (?=\[)/, '')) as string[]
  return { env, user: textOf('USER'), healthCheck }
}

/**
 * Builds the files of the image by the Dockerfile in a folder that only its owner may write to. Two
 * differences: packages are the installed ones without development packages, and system steps of the last
 * stage are left out. Returns the folder of the application.
 */
export async function buildImage(stages: readonly Stage[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-image-'))
  afterAll(async () => {
    await run('chmod', ['-R', 'u+w', folder])
    await rm(folder, { recursive: true, force: true })
  })
  await chmod(folder, 0o755)
  for (const [index, stage] of stages.entries()) {
    const app = join(folder, stage.name ?? 'last')
    await mkdir(app)
    for (const step of stage.steps)
      if (step.instruction === 'COPY') await copy(step.text, { folder, app })
      else if (step.instruction === 'RUN' && index < stages.length - 1) await runStep(step.text, app)
  }
  const app = join(folder, 'last')
  // Packages are hard links to the installed ones, so their modes must not change.
  await run('sh', ['-c', 'for name in *; do [ "$name" = node_modules ] || chmod -R a-w,a+rX "$name"; done'], {
    cwd: app,
  })
  return app
}

async function copy(text: string, { folder, app }: { folder: string; app: string }): Promise<void> {
  const words = text.split(' ')
  const from = words[0]!.startsWith('--from=') ? words.shift()!.slice('--from='.length) : null
  const to = words.pop()!
  for (const word of words) {
    const source = from === null ? join(ROOT, word) : join(folder, from, word.replace(/^\/app\//, ''))
    const target = join(app, to.endsWith('/') ? join(to, word) : to)
    await mkdir(dirname(target), { recursive: true })
    if (from === null) await cp(source, target, { recursive: true })
    else await run('mv', [source, target])
  }
}

async function runStep(text: string, app: string): Promise<void> {
  if (text.startsWith('npm ci')) await installProduction(app)
  else await run('sh', ['-c', text], { cwd: app })
}

/**
 * Installs what `npm ci --omit=dev` would, as hard links to the installed packages if the file system
 * supports them.
 */
async function installProduction(app: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(app, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  const wanted = Object.entries(lock.packages)
    .filter(([path, { dev }]) => !dev && /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path))
    .map(([path]) => path)
  const script = `for package in ${wanted.join(' ')}; do
      [ -e "$1/$package" ] || continue
      mkdir -p "$(dirname "$package")"
      cp -al "$1/$package" "$package" 2>/dev/null || { rm -rf "$package"; cp -a "$1/$package" "$package"; } || exit 1
    done`
  await run('sh', ['-c', script, 'install', ROOT], { cwd: app })
}
