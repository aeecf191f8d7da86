import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { news } from './news.ts'
import { words } from './words.ts'

/** Where `npm run dev` finds the service. */
const SERVICE = process.env.LICET_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/admin/',
  root: import.meta.dirname,
  plugins: [react(), news(), words()],
  resolve: { alias: { '@licet/client': new URL('../client/src/licet.ts', import.meta.url).pathname } },
  // The service replaces it in every page that it sends.
  html: { cspNonce: 'LICET_NONCE' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ['/admin/api', '/api', '/pictures', '/sign-in', '/sign-out', '/account', '/style.css'].map((path) => [
        path,
        SERVICE,
      ]),
    ),
  },
})
