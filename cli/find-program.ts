import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** One way to find a program. */
export interface Try {
  origin: string
  /** Rejects with the reason when there is none. */
  find: () => Promise<string>
}

/** Returns the program of the first way that works, or the reasons why each way failed. */
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

/** Returns the path of a program after it has printed its version; throws if it does not run. */
export async function workingProgram(program: string, timeoutMs: number): Promise<string> {
  if (!(await isExecutable(program))) throw new Error(`${program} does not exist`)
  try {
    await run(program, ['--version'], { timeout: timeoutMs })
  } catch (error) {
    throw new Error(`${program} does not run: ${(error as Error).message.trim()}`, { cause: error })
  }
  return program
}

/** Returns the first of these names found in the folders of a PATH; null: none exists. */
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
