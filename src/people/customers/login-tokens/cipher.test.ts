import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptLogin } from '#test/login-tokens.ts'
import { openLoginToken } from './cipher.secrets.ts'

const SECRET = 'multipass secret from company'
const CONTENT = String.raw`{"token":"TNFEQBBVTEDXLUPN","return_to":"https:\/\/shop.example.com\/?embedded=1","created_at":"2024-06-10T09:30:00+00:00"}`
const TOKEN =
  'AAECAwQFBgcICQoLDA0OD6QVvZMTxs-C3ngCYRRC6uNw0813EEisOMmF2rRzf2tjwHPJxzLw_qmY-ZgRclQE-CF-Kf4AWAq62MW1Z46DV3tOoyIPRQxPfvTP2keImNArulNDFYEOAvwad7QSowJR5s-joNUffnYEYyvNjE5A2C-cj19abP2SZlhZBLRG_fSZDE9GGoOcFjiv2CryfwEMBfMhaEBbySE9v3rJs4mG50Q='

test('opens a token that is known to be right, with or without padding', () => {
  const content = {
    token: 'TNFEQBBVTEDXLUPN',
    return_to: 'https://shop.example.com/?embedded=1',
    created_at: '2024-06-10T09:30:00+00:00',
  }
  const opened = openLoginToken(TOKEN, SECRET)
  assert.deepEqual(opened?.content, content)
  assert.deepEqual(openLoginToken(TOKEN.replaceAll('=', ''), SECRET), opened)
  const iv = Buffer.from(Array.from({ length: 16 }, (_, index) => index))
  assert.equal(encryptLogin(SECRET, CONTENT, iv), TOKEN)
})

test('refuses a token with another secret, and one of which any byte differs', () => {
  assert.equal(openLoginToken(TOKEN, `${SECRET}!`), undefined)
  const bytes = Buffer.from(TOKEN, 'base64url')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    assert.equal(openLoginToken(changed.toString('base64url'), SECRET), undefined, String(at))
  }
})
