import { type Dataset, datasetOf, type SampleCell } from './dataset.ts';

// Eight digits per flower: sepal length and width, petal length and width, in millimetres, two digits each.
const flowers = {
  setosa: `51351402 49301402 47321302 46311502 50361402 54391704 46341403 50341502 44291402 49311501 54371502 48341602
    48301401 43301101 58401202 57441504 54391304 51351403 57381703 51381503 54341702 51371504 46361002 51331705
    48341902 50301602 50341604 52351502 52341402 47321602 48311602 54341504 52411501 55421402 49311502 50321202
    55351302 49361401 44301302 51341502 50351303 45231303 44321302 50351606 51381904 48301403 51381602 46321402
    53371502 50331402`,
  versicolor: `70324714 64324515 69314915 55234013 65284615 57284513 63334716 49243310 66294613 52273914 50203510 59304215
    60224010 61294714 56293613 67314414 56304515 58274110 62224515 56253911 59324818 61284013 63254915 61284712
    64294313 66304414 68284814 67305017 60294515 57263510 55243811 55243710 58273912 60275116 54304515 60344516
    67314715 63234413 56304113 55254013 55264412 61304614 58264012 50233310 56274213 57304212 57294213 62294313
    51253011 57284113`,
  virginica: `63336025 58275119 71305921 63295618 65305822 76306621 49254517 73296318 67255818 72366125 65325120 64275319
    68305521 57255020 58285124 64325323 65305518 77386722 77266923 60225015 69325723 56284920 77286720 63274918
    67335721 72326018 62284818 61304918 64285621 72305816 74286119 79386420 64285622 63285115 61265614 77306123
    63345624 64315518 60304818 69315421 67315624 69315123 58275119 68325923 67335725 67305223 63255019 65305220
    62345423 59305118`,
};

type IrisRow = {
  sepal_length: number;
  sepal_width: number;
  petal_length: number;
  petal_width: number;
  species: 'setosa' | 'versicolor' | 'virginica';
};

/** Three kinds of iris, fifty flowers each, by the length and width of their sepals and petals. */
export function loadIris(): Dataset<IrisRow, 'species'> {
  const card = {
    name: 'iris',
    title: 'Three kinds of iris',
    columns: ['sepal_length', 'sepal_width', 'petal_length', 'petal_width', 'species'],
    target: 'species' as const,
    description:
      'Sepals and petals of 150 flowers in centimetres, fifty of each species; rows 35 and 38 as Fisher printed them.',
    source: 'R. A. Fisher, The Use of Multiple Measurements in Taxonomic Problems, Annals of Eugenics 7 (1936)',
    license: 'public facts',
  };
  const rows = Object.entries(flowers).flatMap(([species, digits]) =>
    digits.split(/\s+/).map((flower): SampleCell[] => {
      const measures = [0, 2, 4, 6].map((at) => Number(flower.slice(at, at + 2)) / 10);
      return [...measures, species];
    }),
  );
  return datasetOf(card, rows);
}
