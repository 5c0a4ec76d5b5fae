import { expect, test } from 'vitest'
import { shownSettings } from '../../ops/settings/shown-settings.ts'
import { VARIABLES } from '../../ops/settings/variables.ts'

test('no shown setting holds a secret: passwords, keys, and what addresses hide in their paths', () => {
  const secret = 'S3cretS3cretS3cretS3cretS3cret'
  const env = Object.fromEntries(
    Object.keys(VARIABLES).map((name) => [
      name,
      name.endsWith('DATABASE_URL')
        ? `postgres://role:${secret}@db.example:5432/sluice?key=${secret}`
        : /URL|ISSUER$|ENDPOINT/.test(name)
          ? `https://user:${secret}@host.example/${secret}?key=${secret}`
          : /KEY|SECRET|TOKEN|PASSWORD|PEPPER|HEADERS/.test(name)
            ? secret
            : 'plain',
    ]),
  )
  env['EXCHANGE_SEAL_KEY'] = 'public half'
  env['OIDC_TOKEN_TYPE'] = 'JWT'
  const shown = shownSettings(env)
  expect(JSON.stringify(shown)).not.toContain(secret)
  const valueOf = (name: string) => shown.find((one) => one.name === name)!.value
  expect(valueOf('DATABASE_URL')).toBe('postgres://role@db.example:5432/sluice')
  expect(valueOf('ALERT_SLACK_URL')).toBe('https://host.example/…')
  expect(valueOf('ACCOUNT_SECRET')).toBe('hidden')
})

test('defaults are shown as such, and what is neither set nor has a default has no value', () => {
  const shown = new Map(shownSettings({ API_PORT: '' }).map((one) => [one.name, one]))
  expect(shown.get('SOURCES')).toEqual({ name: 'SOURCES', value: 'sandbox', isSet: false })
  expect(shown.get('LOG_FOLDER')).toEqual({ name: 'LOG_FOLDER', value: null, isSet: false })
})
