import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { BusyButton } from './busy-button';

const tide: MantineColorsTuple = [
  '#e8f7f9',
  '#d0eef2',
  '#a2dde6',
  '#70cbd9',
  '#46b9cb',
  '#2aa3b8',
  '#1a8ba0',
  '#127386',
  '#0c6070',
  '#084b58',
];

/** Dense and quiet: small type, small radii, one accent. System fonts only; the build has no network. */
export const theme = createTheme({
  primaryColor: 'tide',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.36,
  colors: {
    tide,
    dark: [
      '#e4e8eb',
      '#c2c9cf',
      '#9aa5ae',
      '#6b7680',
      '#39424a',
      '#2a3138',
      '#1f252a',
      '#14181b',
      '#0f1214',
      '#0a0c0e',
    ],
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '16px' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.125rem', lineHeight: '1.4' } } },
  // Mantine chooses black or white by the light scheme's shade, which misses WCAG AA on the dark scheme's.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    // White on Mantine's red misses it too.
    if (input.variant === 'filled' && input.color === 'red')
      return { ...colors, background: '#bb2a2a', hover: '#a32222', color: '#ffffff' };
    const isPrimary = input.color === undefined || input.color === input.theme.primaryColor;
    if (input.variant !== 'filled' || !isPrimary) return colors;
    return { ...colors, color: 'var(--mantine-primary-color-contrast)' };
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs', component: BusyButton } },
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', allowDeselect: false } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Tooltip: {
      defaultProps: { openDelay: 250, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
  },
});

/** Mantine's dimmed grey and its red miss WCAG AA on white. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-error': '#bb2a2a',
    '--mantine-color-dimmed': '#5a6570',
    '--mantine-color-placeholder': '#6a7580',
  },
  dark: {
    '--mantine-color-error': '#f08a8a',
    '--mantine-color-dimmed': '#9aa5ae',
    '--mantine-color-placeholder': '#8a959e',
    '--mantine-color-body': '#0f1214',
  },
});
