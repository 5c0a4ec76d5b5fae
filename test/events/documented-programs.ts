import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { blocksOf, readPage, ROOT, sectionOf } from '../docs/read-page.ts'
import { startedProgram } from './started-program.ts'

type Kind = 'ts' | 'python'

/** A program that stands in a section of docs/events.md. It runs unchanged, as a reader would run it, until the tests of the file end. */
export function documentedProgram(options: { section: 'Stream' | 'Webhooks'; kind: Kind; program: string }) {
  const { section, kind, program } = options
  const [block, ...more] = blocksOf(sectionOf(readPage('docs/events.md'), section)).filter(
    (one) => one.kind === kind,
  )
  if (!block || more.length > 0) throw new Error(`${section} must have one ${kind} block`)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-documented-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // A package finds itself by its name, so a program finds our client as if it was installed.
  symlinkSync(join(ROOT, 'clients/typescript'), join(folder, 'client'))
  const itself = { name: 'sluice-client', type: 'module', exports: './client/index.ts' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(itself))
  const file = join(folder, kind === 'ts' ? 'program.ts' : 'program.py')
  writeFileSync(file, block.text)
  afterAll(() => rmSync(folder, { recursive: true }))
  return startedProgram({ program, file })
}

/** A receiver of webhooks that stands in docs/events.md, at a port. */
export async function documentedReceiver(options: { kind: Kind; program: string; port?: number }) {
  const { kind, program, port = await freePort() } = options
  const { printed, start } = documentedProgram({ section: 'Webhooks', kind, program })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    /** Lines that it has printed: one for each event. */
    printed,
    start: (secret: string) => start({ PORT: String(port), WEBHOOK_SECRET: secret }),
    /** Resolves once it answers. */
    async ready(): Promise<void> {
      for (;;) if (await fetch(url, { method: 'POST', body: '' }).catch(() => null)) return
    },
  }
}
