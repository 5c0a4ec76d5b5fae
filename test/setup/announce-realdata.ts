import { realdata } from './realdata.ts'

/** Logs once per run whether the tests with recorded real payloads run. */
export default function announce(): void {
  if (realdata) console.log(`set-up: recorded real payloads from ${realdata}`)
  else console.log('set-up: no recorded real payloads (SLUICE_REALDATA is not set): their tests are skipped')
}
