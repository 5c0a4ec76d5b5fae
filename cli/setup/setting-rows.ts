import { readSettingsFile, shellEnvironment } from '../settings-file.ts'
import { keyOffers, nodeOffers } from './offers.ts'

/** Where each setting is set at the next start. */
export function placesIn(home: string): (name: string) => 'not set' | 'in the file' | 'in the environment' {
  const [stored, shell] = [readSettingsFile(home), shellEnvironment()]
  return (name) => {
    if (shell[name] !== undefined) return 'in the environment'
    return stored[name] === undefined ? 'not set' : 'in the file'
  }
}

/** Lists what can be set up, and what the settings file sets besides, as rows of a table. Values are not shown. */
export function settingRows(home: string): object[] {
  const stored = readSettingsFile(home)
  const placeOf = placesIn(home)
  const offers = [...keyOffers(), ...nodeOffers()]
  const others = Object.keys(stored).filter((name) => offers.every(({ variable }) => variable !== name))
  return [
    ...offers.map(({ variable, gives, freePlan, from }) => ({
      setting: variable,
      set: placeOf(variable),
      gives,
      'free plan': freePlan ?? '',
      'get it at': from ?? '',
    })),
    ...others.map((name) => ({ setting: name, set: placeOf(name) })),
  ]
}
