import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** Mantine asks for ten shades; what is drawn with it uses the colours of tokens.css. */
const brand: MantineColorsTuple = [
  '#e6f5f1',
  '#cdeae2',
  '#9dd6c7',
  '#6bc1ab',
  '#42b094',
  '#2aa585',
  '#1a8a6f',
  '#0b6b57',
  '#085443',
  '#063f33',
]

export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 3 },
  colors: { brand },
  defaultRadius: 8,
})
