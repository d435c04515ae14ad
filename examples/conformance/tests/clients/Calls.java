import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls a service many times, with the client of the JDK as it comes: it offers HTTP/2 on every new
 *  connection. Arguments: the address of the service, the number of threads, the number of calls. */
public final class Calls {
    private static final String CALL =
        "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[%d,1],\"id\":%d}";

    public static void main(String[] arguments) throws InterruptedException {
        var address = URI.create(arguments[0]);
        var calls = Integer.parseInt(arguments[2]);
        var client = HttpClient.newHttpClient();
        var answered = new AtomicInteger();
        var failures = new TreeMap<String, Integer>();
        var threads = Executors.newFixedThreadPool(Integer.parseInt(arguments[1]));
        for (var number = 1; number <= calls; number++) {
            var id = number;
            threads.submit(() -> {
                try {
                    call(client, address, id);
                    answered.incrementAndGet();
                } catch (Exception failure) {
                    count(failures, failure.toString());
                }
            });
        }
        threads.shutdown();
        var ended = threads.awaitTermination(2, TimeUnit.MINUTES);
        System.out.printf("%d of %d calls answered; failed: %s%n", answered.get(), calls, failures);
        System.exit(ended && answered.get() == calls ? 0 : 1);
    }

    private static void call(HttpClient client, URI address, int id) throws Exception {
        var body = HttpRequest.BodyPublishers.ofString(String.format(CALL, id, id));
        var request = HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(body)
            .build();
        var response = client.send(request, HttpResponse.BodyHandlers.ofString());
        var expected = "{\"jsonrpc\":\"2.0\",\"result\":" + (id - 1) + ",\"id\":" + id + "}";
        if (!response.body().equals(expected)) {
            throw new IllegalStateException(response.statusCode() + " " + response.body());
        }
    }

    private static synchronized void count(Map<String, Integer> failures, String failure) {
        failures.merge(failure, 1, Integer::sum);
    }
}
