import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Cleanup } from '../shared/cleanup.ts'

/** A process of this folder that answers each message with one. */
export interface Child {
  pid: number
  ask: <Answer>(message: object) => Promise<Answer>
  /** Ends it, so that Postgres has its numbers. */
  end: () => Promise<void>
}

/** Starts a process, and returns it with the message that it sends first. */
export async function startChild<First>(
  input: { program: string; args: readonly string[]; flags?: readonly string[] },
  cleanup: Cleanup,
): Promise<{ child: Child; first: First }> {
  const { program, args, flags = [] } = input
  const process_ = fork(join(import.meta.dirname, program), [...args], { execArgv: [...flags] })
  const ended = once(process_, 'exit')
  const next = async <Answer>(): Promise<Answer> => {
    const [message] = (await Promise.race([
      once(process_, 'message'),
      ended.then(([code]) => {
        throw new Error(`${program} has ended with code ${code}`)
      }),
    ])) as [Answer | { error: string }]
    if (typeof message === 'object' && message !== null && 'error' in message)
      throw new Error(`${program}: ${message.error}`)
    return message
  }
  const end = async () => {
    if (process_.connected) process_.disconnect()
    await ended
  }
  cleanup.add(end)
  const child: Child = {
    pid: process_.pid!,
    async ask<Answer>(message: object) {
      process_.send(message)
      return await next<Answer>()
    },
    end,
  }
  return { child, first: await next<First>() }
}

/** The other side: answers each message, and ends when the parent lets go. */
export function answerParent(
  answer: (message: never) => Promise<unknown>,
  end: () => Promise<unknown>,
): void {
  process.on('message', (message) => {
    answer(message as never).then(
      (result) => process.send!(result),
      (error: Error) => process.send!({ error: error.stack ?? error.message }),
    )
  })
  process.on('disconnect', () => void end().finally(() => process.exit(0)))
}
