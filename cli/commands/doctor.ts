import type { Given } from '../command-spec.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { checkMachine } from '../doctor/check-machine.ts'
import { checkSettings } from '../doctor/check-settings.ts'
import { checkSources } from '../doctor/check-sources.ts'
import { checkTemporal } from '../doctor/check-temporal.ts'
import type { Finding } from '../doctor/finding.ts'
import { exportTarget } from '../export-target.ts'
import { homeFolder } from '../folders.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { toJson } from '../print.ts'
import { createProgress } from '../progress.ts'
import type { DOCTOR } from '../specs/run.ts'
import { readRun } from '../supervisor/run-file.ts'

const MARKS = { ok: 'ok  ', unasked: '?   ', warn: 'warn', fail: 'FAIL' } as const

/** Returns exit code 1 when a check fails; warnings do not count. */
export async function run({ offline, json }: Given<typeof DOCTOR>): Promise<number> {
  const env = operatorEnvironment()
  const machine = { home: homeFolder(), exports: exportTarget, run: readRun(homeFolder()), env }
  const progress = createProgress()
  const checks = [
    { name: 'this machine', run: () => checkMachine(machine) },
    { name: 'the database', run: () => checkDatabase(env) },
    { name: 'Temporal', run: () => checkTemporal(env) },
    { name: 'settings', run: () => checkSettings(env, { offline }) },
    { name: 'sources', run: () => checkSources(env, { offline }) },
  ]
  const findings: Finding[] = []
  for (const [i, check] of checks.entries()) {
    progress.show(i / checks.length, check.name)
    const found = await check.run()
    progress.end()
    if (!json) for (const finding of found) console.log(lineOf(finding))
    findings.push(...found)
  }
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  if (json) console.log(toJson(findings))
  else {
    const asked = count('unasked') > 0 ? `, ${count('unasked')} never asked` : ''
    console.log(`\n${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failed${asked}`)
  }
  return count('fail') > 0 ? 1 : 0
}

function lineOf({ check, state, detail, mend }: Finding): string {
  const line = `${MARKS[state]}  ${check.padEnd(24)}${detail.replaceAll(/\s+/g, ' ').slice(0, 160)}`
  return mend === undefined ? line : `${line}\n      ${mend}`
}
