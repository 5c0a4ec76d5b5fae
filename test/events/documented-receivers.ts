import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { blocksOf, readPage, ROOT } from '../docs/read-page.ts'

/** Runs a receiver that stands in docs/webhooks.md, unchanged, as a reader would. */
export async function documentedReceiver(kind: 'ts' | 'python', program: string) {
  const [block, ...more] = blocksOf(readPage('docs/webhooks.md')).filter((one) => one.kind === kind)
  if (!block || more.length > 0) throw new Error(`docs/webhooks.md must have one ${kind} block`)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-receiver-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, kind === 'ts' ? 'receiver.ts' : 'receiver.py')
  writeFileSync(file, block.text)
  const port = await freePort()
  const printed: string[] = []
  let child: ChildProcess | undefined
  afterAll(() => {
    child?.kill()
    rmSync(folder, { recursive: true })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    /** Lines that it has printed. */
    printed,
    start(secret: string): void {
      child = spawn(program, [file], {
        env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child.stdout!.on('data', (text: Buffer) => printed.push(...text.toString().trim().split('\n')))
    },
    /** Resolves once it answers. */
    async ready(): Promise<void> {
      for (;;)
        if (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '' }).catch(() => null)) return
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
