import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLogFile } from '../../cli/supervisor/log-file.ts'
import { markOf } from '../../cli/supervisor/process-mark.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { createSupervisor } from '../../cli/supervisor/supervisor.ts'
import { writeWhole } from '../../cli/write-whole.ts'

/** Simulates a full disk for this file: writes to /dev/full fail. */
const fillAt = (file: string) => symlinkSync('/dev/full', file)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-bookkeeping-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

test('a log file never grows beyond its limit', () => {
  const file = join(folder, 'logs/x.log')
  const logFile = openLogFile(file, { maxBytes: 1_000 })
  for (let i = 0; i < 100; i++) logFile.write(`line ${i} `.padEnd(49, '.'))
  logFile.close()
  expect(readFileSync(file, 'utf8')).toContain('line 99')

  expect(readFileSync(file).length).toBeLessThanOrEqual(1_000)
  expect(readFileSync(`${file}.1`, 'utf8')).toContain('line 79')
})

test('on a full disk log lines are lost and counted, reported once, and written again when there is space', () => {
  const file = join(folder, 'x.log')
  fillAt(file)
  const onLost = vi.fn()
  const logFile = openLogFile(file, { onLost })
  for (const line of ['one', 'two', 'three']) logFile.write(line)
  unlinkSync(file)
  logFile.write('four')
  logFile.close()
  expect(onLost).toHaveBeenCalledTimes(1)
  expect(onLost.mock.calls[0]![0].code).toBe('ENOSPC')
  expect(readFileSync(file, 'utf8')).toBe('\n(3 lines could not be written)\nfour\n')
})

test('a run.json that cannot be written stops nothing and is written later', async () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const run = {
    supervisor: markOf(process.pid)!,
    children: {},
    ports: { api: 1 },
    temporalAddress: '127.0.0.1:1',
    sources: 'sandbox' as const,
  }
  fillAt(join(folder, `run.json.${process.pid}`))
  const ports = { numbers: {}, recheck: async () => [], release: () => {} }
  const supervisor = createSupervisor({ home: folder, run, ports, log: (line) => void lines.push(line) })
  expect(readRun(folder)).toBeNull()
  await vi.advanceTimersByTimeAsync(6_000)
  expect(readRun(folder)).toEqual(run)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('ENOSPC')
  expect(lines[1]).toContain('is written again')
  await supervisor.stop()
})

test('secrets and keys are never written in part', () => {
  const file = join(folder, 'secrets.json')
  writeWhole(file, 'old', { mode: 0o600 })
  fillAt(`${file}.${process.pid}`)
  expect(() => writeWhole(file, 'new', { mode: 0o600 })).toThrow('ENOSPC')
  expect(readFileSync(file, 'utf8')).toBe('old')
  expect(() => writeWhole(file, 'other', { mode: 0o600, exclusive: true })).toThrow('EEXIST')
  expect(readFileSync(file, 'utf8')).toBe('old')
  mkdirSync(join(folder, 'new'))
  writeWhole(join(folder, 'new/secrets.json'), 'new', { mode: 0o600, exclusive: true })
  expect(readFileSync(join(folder, 'new/secrets.json'), 'utf8')).toBe('new')
})
