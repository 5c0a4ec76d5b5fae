import { readSettingsFile, shellEnvironment } from '../settings-file.ts'
import { keyOffers, nodeOffers } from './offers.ts'

/** Lists what can be set up, and what the settings file sets besides, as rows of a table. Values are not shown. */
export function settingRows(home: string): object[] {
  const stored = readSettingsFile(home)
  const shell = shellEnvironment()
  const placeOf = (name: string) => {
    if (shell[name] !== undefined) return 'environment'
    return stored[name] === undefined ? '' : 'file'
  }
  const offers = [...keyOffers(), ...nodeOffers()]
  const others = Object.keys(stored).filter((name) => offers.every(({ variable }) => variable !== name))
  return [
    ...offers.map(({ variable, gives, freePlan, from }) => ({
      setting: variable,
      'set in': placeOf(variable),
      gives,
      'free plan': freePlan ?? '',
      'get it at': from ?? '',
    })),
    ...others.map((name) => ({ setting: name, 'set in': placeOf(name) })),
  ]
}
