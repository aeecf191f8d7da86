import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import './ui/tokens.css'
import './ui/page.css'
import './ui/parts.css'
import './ui/lists/lists.css'
import './ui/forms/forms.css'
import './ui/help.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './queries.ts'
import { router } from './router.ts'
import { sessionQuery } from './session/session.ts'
import { theme } from './ui/theme.ts'
import { Toasts } from './ui/toasts.tsx'
import { loadWords } from './words/words.ts'

/** The policy of the page allows only the style elements that carry this. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

const root = document.getElementById('admin')
if (root === null) throw new Error('the page has no place for the admin interface')
// The user's own language comes first, if it is known who they are.
const own = await queries.ensureQueryData(sessionQuery).then(
  ({ user }) =>
    navigator.languages.filter((each) => each.toLowerCase().startsWith(user.language)).concat(user.language),
  () => [],
)
await loadWords([...own, ...navigator.languages])
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
