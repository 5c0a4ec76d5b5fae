import { rotateSecrets } from '../../db/exchanges/rotate-secrets.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { CommandError } from '../command.ts'
import { homeFolder } from '../folders.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { addExchangeKey, readSecrets } from '../secrets.ts'

const USAGE = `sluice exchanges new-key      make the next key that credentials are encrypted under
sluice exchanges rotate-keys  put every stored secret under the newest key`

export async function run(args: string[]): Promise<number> {
  switch (args[0]) {
    case 'new-key':
      return newKey()
    case 'rotate-keys': {
      const keys = (operatorEnvironment()['EXCHANGE_KEYS'] ?? '').split(',').filter((key) => key !== '')
      if (keys.length === 0) throw new CommandError('no keys: set EXCHANGE_KEYS, the newest first')
      const { rotated } = await withOperatorDatabase((db) => rotateSecrets(db, keys))
      console.log(`${rotated} secrets are now under the newest key; the others open nothing any more`)
      return 0
    }
    default:
      throw new CommandError(USAGE)
  }
}

/** Of an installation of `npm start` the secrets file gets it; else it is shown for the environment. */
function newKey(): number {
  const secrets = readSecrets(homeFolder())
  if (secrets && !process.env['EXCHANGE_KEYS']) {
    addExchangeKey(homeFolder(), secrets)
    console.log('The next start uses it. Then run: sluice exchanges rotate-keys')
    return 0
  }
  const key = createSealingKey()
  console.log(`EXCHANGE_KEYS      put before the others: ${key}`)
  console.log(`EXCHANGE_SEAL_KEY  ${sealingPublicKey(key)}`)
  return 0
}
