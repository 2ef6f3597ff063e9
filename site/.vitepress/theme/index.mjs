import DefaultTheme from 'vitepress/theme';
import './site.css';

export default DefaultTheme;
