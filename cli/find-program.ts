import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** One way to a program. */
export interface Try {
  origin: string
  /** Rejects with the reason when there is none. */
  find: () => Promise<string>
}

/** Takes the first way that works; else `failures` says of each why it does not. */
export async function firstOf(
  tries: readonly Try[],
  onFailure?: (origin: string, failure: string) => void,
): Promise<{ program: string; origin: string } | { failures: string[] }> {
  const failures: string[] = []
  for (const { origin, find } of tries) {
    try {
      return { program: await find(), origin }
    } catch (error) {
      const failure = `${origin}: ${(error as Error).message}`
      failures.push(failure)
      onFailure?.(origin, failure)
    }
  }
  return { failures }
}

/** The program itself, once it has told its version. */
export async function workingProgram(program: string, timeoutMs: number): Promise<string> {
  if (!(await isExecutable(program))) throw new Error(`${program} is not there`)
  try {
    await run(program, ['--version'], { timeout: timeoutMs })
  } catch (error) {
    throw new Error(`${program} does not run: ${(error as Error).message.trim()}`, { cause: error })
  }
  return program
}

/** The first of these names in the folders of a PATH; null: none is there. */
export async function programOnPath(path: string, names: readonly string[]): Promise<string | null> {
  for (const name of names)
    for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
      const program = join(folder, name)
      if (await isExecutable(program)) return program
    }
  return null
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}
