import { expect, test } from 'vitest'
import { readHeartbeatUrl, readReceiverConfig } from '../../activities/incidents/config.ts'
import { heartbeat } from '../../activities/incidents/receivers.ts'

const mail = {
  ALERT_EMAIL_TO: 'oncall@example.com',
  ALERT_EMAIL_FROM: 'sluice@example.com',
  SMTP_URL: 'smtp://127.0.0.1:25',
}

test('without settings nobody is told, and nobody notices silence', async () => {
  expect(readReceiverConfig({})).toMatchObject({ webhookUrl: null, slackUrl: null, email: null })
  expect(readHeartbeatUrl({})).toBeNull()
  await heartbeat(readHeartbeatUrl({}))
})

test('e-mail needs an address to send to, and then all that sending takes', () => {
  expect(readReceiverConfig(mail).email).toEqual({
    to: mail.ALERT_EMAIL_TO,
    from: mail.ALERT_EMAIL_FROM,
    smtpUrl: mail.SMTP_URL,
  })
  const { ALERT_EMAIL_TO, ...sending } = mail
  expect(readReceiverConfig(sending).email).toBeNull()
  expect(() => readReceiverConfig({ ALERT_EMAIL_TO })).toThrow(
    /ALERT_EMAIL_TO needs ALERT_EMAIL_FROM.*ALERT_EMAIL_TO needs SMTP_URL/s,
  )
  for (const name of ['ALERT_EMAIL_FROM', 'SMTP_URL'])
    expect(() => readReceiverConfig({ ...mail, [name]: undefined })).toThrow(`ALERT_EMAIL_TO needs ${name}`)
})
