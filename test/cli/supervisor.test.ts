import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endStaleRun } from '../../cli/supervisor/end-stale-run.ts'
import { restartDelayMs } from '../../cli/supervisor/keep-running.ts'
import { isRunning, markOf } from '../../cli/supervisor/process-mark.ts'
import { claimRun, readRun, type Run, writeRun } from '../../cli/supervisor/run-file.ts'
import type { ServiceSpec } from '../../cli/supervisor/service.ts'
import { createSupervisor, type Supervisor } from '../../cli/supervisor/supervisor.ts'

const ports = { numbers: {}, recheck: async () => [], release: () => {} }
let home: string
let lines: string[]
let supervisor: Supervisor
let run: Run
const log = (line: string) => void lines.push(line)
/** The usual delay, but at most 300 ms. */
const delayMs = (failures: number) => Math.min(300, restartDelayMs(failures))

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-supervisor-'))
  lines = []
  run = {
    supervisor: markOf(process.pid)!,
    children: {},
    ports: {},
    temporalAddress: '127.0.0.1:1',
    sources: 'sandbox',
  }
  supervisor = createSupervisor({ home, run, ports, log, delayMs })
})
afterEach(async () => {
  await supervisor.stop()
  rmSync(home, { recursive: true, force: true })
})

function shell(name: string, script: string, health: ServiceSpec['health'] = { line: 'up' }): ServiceSpec {
  return {
    name,
    command: '/bin/sh',
    args: ['-c', script],
    env: { PATH: process.env['PATH']! },
    health,
    startDeadlineMs: 60_000,
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 500,
  }
}

async function until(condition: () => boolean, deadlineMs = 60_000): Promise<void> {
  for (const end = Date.now() + deadlineMs; !condition();) {
    if (Date.now() > end) throw new Error(`not within ${deadlineMs} ms; log:\n${lines.join('\n')}`)
    await sleep(20)
  }
}

describe('services', () => {
  test('a killed service is restarted and run.json is updated', async () => {
    await supervisor.keep(() => shell('worker', 'echo up; exec sleep 60'))
    const first = readRun(home)!.children['worker']!
    process.kill(first.pid, 'SIGKILL')
    await until(() => lines.some((line) => line.includes('is up again')))
    const second = readRun(home)!.children['worker']!
    expect(second.pid).not.toBe(first.pid)
    expect(isRunning(second)).toBe(true)
    expect(lines.find((line) => line.includes('SIGKILL'))).toContain('starting it again in 250 ms')
  })

  test('stopping ends the whole process group, even members that ignore signals or are orphans', async () => {
    const children = join(home, 'pids')
    const deaf = `trap '' TERM INT; sleep 61 & echo $! > ${children}; echo $$ >> ${children}; echo up; wait; wait; sleep 62`
    await supervisor.keep(() => shell('deaf', deaf))
    const marks = readFileSync(children, 'utf8')
      .trim()
      .split('\n')
      .map((pid) => markOf(Number(pid))!)
    expect(marks).toHaveLength(2)
    await supervisor.stop()
    await until(() => !marks.some(isRunning))
    expect(readRun(home)).toBeNull()
  })

  test('a service that is killed at the end is not restarted', async () => {
    const starts = join(home, 'starts')
    await supervisor.keep(() => shell('anvil', `echo x >> ${starts}; echo up; exec sleep 60`))
    await supervisor.kill()
    // Twice as long as the delay before a start.
    await sleep(2 * delayMs(1))
    expect(readFileSync(starts, 'utf8')).toBe('x\n')
  })

  test('the service that started last is stopped first', async () => {
    const trace = join(home, 'trace')
    for (const name of ['first', 'second'])
      await supervisor.keep(() =>
        shell(name, `trap 'echo ${name} >> ${trace}; exit 0' TERM; echo up; while :; do sleep 0.05; done`),
      )
    await supervisor.stop()
    expect(readFileSync(trace, 'utf8')).toBe('second\nfirst\n')
  })

  test('a service that fails ten times and can then start comes up', async () => {
    const counter = join(home, 'starts')
    const script = `echo x >> ${counter}; [ $(wc -l < ${counter}) -gt 10 ] || exit 3; echo up; exec sleep 60`
    await supervisor.keep(() => shell('patient', script))
    expect(readFileSync(counter, 'utf8')).toBe('x\n'.repeat(11))
    expect(lines.filter((line) => line.includes('patient IS DOWN'))).toHaveLength(1)
    expect(lines.at(-1)).toContain('patient is up')
  })

  test('with a limit, a service that was never up is given up with its last lines', async () => {
    const failing = shell('broken', 'echo no such table; exit 3')
    await expect(supervisor.keep(() => failing, { attempts: 3 })).rejects.toThrow(
      /3 times in a row[^]*no such table/,
    )
  })

  test('a failed job gives the reason', async () => {
    await expect(supervisor.runJob(shell('fill', 'echo Error: no chain; exit 4', null))).rejects.toThrow(
      'fill failed (code 4): Error: no chain',
    )
    expect(await supervisor.runJob(shell('fill', 'echo a; echo b', null))).toBe('b')
  })

  test('the delay doubles up to ten seconds', () => {
    expect([1, 2, 3, 6, 7, 20].map(restartDelayMs)).toEqual([250, 500, 1_000, 8_000, 10_000, 10_000])
  })
})

describe('leftovers of an earlier run', () => {
  const dead = { pid: process.pid, started: 'another time' }

  test('a run with a living supervisor is returned and left alone', async () => {
    expect((await endStaleRun(home, log))?.supervisor.pid).toBe(process.pid)
  })

  test('of a dead run only its own children are stopped', async () => {
    const orphan = spawn('sleep', ['63'], { detached: true, stdio: 'ignore' })
    const stranger = spawn('sleep', ['64'], { detached: true, stdio: 'ignore' })
    try {
      const mark = markOf(orphan.pid!)!
      // The number of the second child belongs to another program by now.
      const reused = { pid: stranger.pid!, started: 'another time' }
      writeRun(home, { ...run, supervisor: dead, children: { postgres: mark, worker: reused } })
      expect(await endStaleRun(home, log)).toBeNull()
      expect(isRunning(mark)).toBe(false)
      expect(markOf(stranger.pid!)).not.toBeNull()
      expect(lines.join('\n')).toContain(`stopping postgres (pid ${orphan.pid})`)
      expect(existsSync(join(home, 'run.json'))).toBe(false)
    } finally {
      orphan.kill('SIGKILL')
      stranger.kill('SIGKILL')
    }
  })

  test('half a run.json counts as none', async () => {
    writeFileSync(join(home, 'run.json'), '{"superv')
    expect(await endStaleRun(home, log)).toBeNull()
    expect(claimRun(home, run)).toBe(true)
  })

  test('of two starts on one home at the same moment only one succeeds', () => {
    rmSync(join(home, 'run.json'))
    expect([claimRun(home, run), claimRun(home, run)]).toEqual([true, false])
    expect(readRun(home)).toEqual(run)
  })
})
