import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'

/** A program in a file, which runs from `start` until the tests of the file end. */
export function startedProgram({ program, file }: { program: string; file: string }) {
  const printed: string[] = []
  let child: ChildProcess | undefined
  afterAll(() => void child?.kill())
  return {
    /** Lines that it has printed. */
    printed,
    start: (env: Record<string, string>, args: readonly string[] = []): void => {
      child = spawn(program, [file, ...args], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      createInterface({ input: child.stdout! }).on('line', (line) => printed.push(line))
    },
  }
}
