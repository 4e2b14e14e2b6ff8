import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.dmg.pmml.PMML;
import org.jpmml.evaluator.Evaluator;
import org.jpmml.evaluator.EvaluatorUtil;
import org.jpmml.evaluator.InputField;
import org.jpmml.evaluator.LoadingModelEvaluatorBuilder;
import org.jpmml.evaluator.OutputField;
import org.jpmml.evaluator.TargetField;

/**
 * Scores with JPMML what toPmml has written: for every model.pmml of a folder it validates the document against the schema of
 * PMML 4.4, reads model.tsv (a line of field names, then cells; an empty one is missing) and writes model.out (label and the
 * outputs of the model, or "invalid" and the reason).
 */
public class Score {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".pmml")).sorted().toList()) {
        String name = file.getFileName().toString().replaceAll("\\.pmml$", "");
        validate(file);
        Files.write(folder.resolve(name + ".out"), score(file, folder.resolve(name + ".tsv")), StandardCharsets.UTF_8);
      }
    }
  }

  static void validate(Path file) throws Exception {
    var factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    try (InputStream schema = PMML.class.getResourceAsStream("/pmml.xsd")) {
      factory.newSchema(new StreamSource(schema)).newValidator().validate(new StreamSource(file.toFile()));
    }
  }

  static List<String> score(Path model, Path table) throws Exception {
    Evaluator evaluator;
    try (InputStream stream = Files.newInputStream(model)) {
      evaluator = new LoadingModelEvaluatorBuilder().load(stream).build();
    }
    evaluator.verify();
    List<String> lines = Files.readAllLines(table, StandardCharsets.UTF_8);
    String[] names = lines.get(0).split("\t", -1);
    List<String> answers = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) answers.add(answer(evaluator, names, line.split("\t", -1)));
    return answers;
  }

  static String answer(Evaluator evaluator, String[] names, String[] cells) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int k = 0; k < names.length; k++) row.put(names[k], cells[k].isEmpty() ? null : cells[k].replace("\\e", ""));
    try {
      Map<String, Object> prepared = new LinkedHashMap<>();
      for (InputField field : evaluator.getInputFields()) prepared.put(field.getName(), field.prepare(row.get(field.getName())));
      Map<String, ?> results = EvaluatorUtil.decodeAll(evaluator.evaluate(prepared));
      StringBuilder text = new StringBuilder();
      for (TargetField field : evaluator.getTargetFields()) text.append(results.get(field.getName()));
      for (OutputField field : evaluator.getOutputFields()) text.append('\t').append(results.get(field.getName()));
      return text.toString();
    } catch (Exception cause) {
      return "invalid\t" + cause.getClass().getSimpleName();
    }
  }
}
