import { usdcOf } from '../../db/values/usdc.ts'
import { askingAgain } from '../ask-again.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { homeFolder } from '../folders.ts'
import { type PaidCall, payCall, UnansweredPayment } from '../pay-call.ts'
import { printRecord } from '../print.ts'
import { readSecrets } from '../secrets.ts'
import type { PAY } from '../specs/money.ts'
import { isRunning } from '../supervisor/process-mark.ts'
import { readRun } from '../supervisor/run-file.ts'
import { testPayer } from '../test-payer.ts'

/** A payment is good for 60 seconds after it is signed. */
const PATIENCE_S = 30

/** Pays for one call at the gateway of the running installation, with test money. */
export async function run(given: Given<typeof PAY>): Promise<number> {
  const { path, sharetoken, passcode } = given
  if (!path.startsWith('/'))
    throw new UsageError(`the path must begin with "/", such as '/coins?limit=3', not "${path}"`)
  const { gatewayUrl, account } = wallet()
  const headers = { ...(sharetoken && { sharetoken }), ...(passcode && { passcode }) }
  const send = askingAgain({
    patienceS: PATIENCE_S,
    onWait: ({ status, seconds }) =>
      console.error(
        `sluice: the gateway ${status === null ? 'did not answer' : `answered ${status}`}, ` +
          `the same call is sent again in ${seconds} s`,
      ),
  })
  const call = await payCall({ url: `${gatewayUrl}${path}`, headers, account, send }).catch(
    (error: Error) => {
      if (error instanceof UnansweredPayment)
        throw new CommandError(`${gatewayUrl}: ${error.message}. "sluice payments list" shows whether`)
      const reason = error.message === 'fetch failed' ? 'it does not answer' : error.message
      throw new CommandError(`nothing was paid at ${gatewayUrl}: ${reason}`)
    },
  )
  if (given.json) printRecord(call, given)
  else show(call)
  return call.status === 200 ? 0 : 1
}

function wallet() {
  const run = readRun(homeFolder())
  const secrets = readSecrets(homeFolder())
  if (!run || !secrets || !isRunning(run.supervisor))
    throw new CommandError('no installation runs here: run "npm start", or set SLUICE_HOME')
  if (run.ports['facilitator'] === undefined)
    throw new CommandError(
      'the test wallet has money on the sandbox chain only, and this installation takes payments on another chain ' +
        '(SOURCES=live or X402_FACILITATOR_URL): use your own wallet and any x402 client',
    )
  return { gatewayUrl: `http://127.0.0.1:${run.ports['gateway']}`, account: testPayer(secrets) }
}

function show({ status, data, receipt, units, refused }: PaidCall): void {
  console.log(typeof data === 'string' ? data : JSON.stringify(data, null, 2))
  if (receipt?.success) {
    const amount = units === null ? 'nothing' : `${usdcOf(units)} USDC`
    console.log(`\nPaid         ${amount} in test money by ${receipt.payer}`)
    console.log(`Transaction  ${receipt.transaction} on ${receipt.network}`)
    console.log(`Receipt      ${JSON.stringify(receipt)}`)
  }
  if (status === 200) return
  console.error(`\nsluice: the gateway answered ${status}${refused === null ? '' : ` (${refused})`}`)
  if (receipt && !receipt.success) console.error(`The payment failed: ${receipt.errorReason}`)
}
