export interface Product {
  sku: string;
  name: string;
  category: string;
  price_cents: number;
  colors: string[];
  sizes: string[];
  description: string;
}

const product = (
  sku: string,
  name: string,
  category: string,
  price_cents: number,
  colors: string,
  sizes: string,
  description: string,
): Product => ({
  sku,
  name,
  category,
  price_cents,
  colors: colors.split(' '),
  sizes: sizes.split(' '),
  description,
});

const clothes = 'XS S M L XL';
const shoes = '37 38 39 40 41 42 43 44 45';

/** What the shop sells. */
export const catalogue: Product[] = [
  product('JK-2210', 'Skerry shell jacket', 'jackets', 18_900, 'moss slate ochre', clothes,
    'Three-layer shell, 20,000 mm water column, taped seams, helmet hood, pit zips. 410 g in size M.'),
  product('JK-2235', 'Lofoten down parka', 'jackets', 32_900, 'slate rust', clothes,
    '750-fill recycled down, windproof shell, two inner pockets that fit a map. Not for tumble drying above 40 degrees.'),
  product('FL-1104', 'Harbour fleece', 'fleece', 7_900, 'moss sand navy', clothes,
    'Brushed fleece of recycled bottles, 260 g/m2, thumb loops, chest pocket.'),
  product('BT-4410', 'Granite hiking boots', 'boots', 16_900, 'brown black', shoes,
    'Full leather, Vibram sole, resoleable. Runs half a size small: order one up when between sizes.'),
  product('BT-4432', 'Tarn trail shoes', 'boots', 11_900, 'slate lime', shoes,
    'Light trail shoes, 280 g each in 42, drains in minutes, no membrane.'),
  product('TN-6001', 'Hytte 2 tent', 'tents', 42_900, 'green sand', 'one-size',
    'Two people, four seasons, 2.4 kg, outer first pitch, spare pole section included.'),
  product('TN-6010', 'Fjell tarp 3x3', 'tents', 9_900, 'green sand', 'one-size',
    'Silnylon tarp with 16 loops, 540 g, comes with six guy lines and no poles.'),
  product('SL-7040', 'Polarsirkel sleeping bag', 'sleeping', 27_900, 'navy', 'regular long',
    'Down, comfort -7, limit -14 degrees, left zip, 980 g. Long fits up to 200 cm.'),
  product('ST-8102', 'Ember gas stove', 'cooking', 6_400, 'steel', 'one-size',
    'Folding burner with piezo, 3,000 W, 82 g. Gas cartridges are not sold by mail.'),
  product('ST-8120', 'Cauldron pot set', 'cooking', 5_900, 'grey', '1.0L 1.6L',
    'Hard anodised, lid that strains, handles that lock. Nests a 230 g cartridge.'),
  product('PK-3300', 'Portage 45 pack', 'packs', 19_900, 'moss black', 'S-M M-L',
    '45 litres, lid pocket, rain cover, back length adjustable from 42 to 54 cm.'),
  product('PK-3315', 'Daylight 18 pack', 'packs', 6_900, 'ochre navy black', 'one-size',
    '18 litres, fits a 14-inch laptop, two bottle pockets, chest strap with whistle.'),
]; // prettier-ignore
