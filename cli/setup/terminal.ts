import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface Terminal {
  say: (line: string) => void
  /** Resolves to the trimmed line. null: there is no more input. `secret`: what is typed is not shown */
  ask: (question: string, options?: { secret: boolean }) => Promise<string | null>
  /** Whether Ctrl-C ended the input. */
  interrupted: () => boolean
  close: () => void
}

/** Asks a person, or reads the lines of a program. */
export function openTerminal(streams: {
  input: Readable
  output: Writable
  /** Whether a person types, so that readline shows and edits the line. */
  isTerminal: boolean
}): Terminal {
  const { input, output, isTerminal } = streams
  // What is typed ahead of a question may be the answer to one about a key.
  let hidden = true
  let closed = false
  let wasInterrupted = false
  const shown = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) output.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input, output: shown, terminal: isTerminal, historySize: 0 })
  lines.on('SIGINT', () => {
    wasInterrupted = true
    lines.close()
  })
  lines.on('close', () => {
    closed = true
  })
  // Also gives the lines that came before the end of the input was seen.
  const next = lines[Symbol.asyncIterator]()
  return {
    say: (line) => void output.write(`${line}\n`),
    async ask(question, { secret } = { secret: false }) {
      hidden = false
      lines.setPrompt(question)
      if (closed) output.write(question)
      else lines.prompt()
      hidden = secret
      const { value, done } = await next.next()
      hidden = true
      if (secret || done || !isTerminal) output.write('\n')
      return done ? null : value.trim()
    },
    interrupted: () => wasInterrupted,
    close: () => lines.close(),
  }
}

/** Asks for a key on standard error without showing it; from a program, reads standard input. Empty: there is none. */
export async function readSecret(question: string): Promise<string> {
  const { stdin: input, stderr: output } = process
  if (!input.isTTY) return (await text(input)).trim()
  const terminal = openTerminal({ input, output, isTerminal: true })
  try {
    return (await terminal.ask(question, { secret: true })) ?? ''
  } finally {
    terminal.close()
  }
}
